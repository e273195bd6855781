import { createId } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { PATIENCE_MS } from '@cairn/local/time-limit'
import type { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createFakeLedger } from '../../../testing/fake-ledger.ts'
import type { SentMail } from '../../../testing/sent-mail.ts'
import { createUserRow } from '../../../testing/user-row.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import { runQueue, startBoss } from '../../platform/jobs/job.ts'
import { createKeyRing } from '../../platform/keys/key-ring.ts'
import { createOutboxSeal } from '../../platform/keys/seal.ts'
import { deliverMail } from '../../platform/mail/deliver.ts'
import { MAIL_QUEUE, MailPayload } from '../../platform/mail/mail-job.ts'
import { createSettings } from '../../platform/settings-store/site-settings.ts'
import { feedAnnouncements } from './feeder.ts'

const publicUrl = 'https://cairn.test'
const log = pino({ level: 'silent' })
const clock = { now: Date.now }
const seal = createOutboxSeal(createKeyRing({ value: 'a secret for tests' }))

/** What happens when the mail server gets the mail of a person for the first time. */
type Outcome = 'accepted' | 'refused' | 'lost answer' | 'killed before' | 'unrecorded'

let database: TestDatabase
let gateway: Database
let worker: Database
let boss: PgBoss
const sent: string[] = []
/** Outcomes by user id. Each one happens once. */
const outcomes = new Map<string, Outcome>()
const attempted: string[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  const openAs = (role: string) =>
    openDatabase({ url: database.urlFor(role), applicationName: 'test', onError: () => {} })
  gateway = openAs('cairn_gateway')
  worker = openAs('cairn_gateway_worker')
  boss = await startBoss({ url: database.urlFor('cairn_gateway_worker'), log })
  const settings = createSettings(worker, { isDemo: false, publicUrl })
  const ledger = createFakeLedger()
  const transport = { sendMail: receiveMail }
  const deps = { db: worker, ledger, clock, seal, settings, transport, publicUrl }
  const limits = { retryLimit: 3, retryDelaySeconds: 1, expireSeconds: 60 }
  const handle = async (payload: MailPayload) => {
    if (payload.source === 'announcement') attempted.push(payload.userId)
    await deliverMail(deps, payload)
  }
  await runQueue(boss, { queue: MAIL_QUEUE, payload: MailPayload, ...limits, handle }, log)
})
afterAll(async () => {
  await boss.stop({ graceful: true, timeout: 2_000 })
  await Promise.all([gateway.destroy(), worker.destroy()])
  await database.drop()
})

async function receiveMail(mail: unknown): Promise<void> {
  // The cast is safe because `deliverMail` passes such an object.
  const { to, messageId } = mail as SentMail
  const userId = to.address.split('@')[0] ?? ''
  const outcome = outcomes.get(userId) ?? 'accepted'
  outcomes.delete(userId)
  if (outcome === 'refused') {
    throw Object.assign(new Error('451 try again later'), { responseCode: 451 })
  }
  if (outcome === 'killed before') throw new Error('killed')
  sent.push(userId)
  if (outcome === 'accepted') return
  if (outcome === 'unrecorded') {
    await worker.deleteFrom('platform.mail_delivery').where('message_id', '=', messageId).execute()
  }
  throw new Error('the connection broke')
}

/** Stores an announcement for one new person per outcome. Returns their ids. */
async function announceTo(given: readonly Outcome[]): Promise<readonly string[]> {
  const announcementId = createId(Date.now())
  const now = new Date()
  const people = given.map((outcome) => {
    const id = createId(Date.now())
    outcomes.set(id, outcome)
    return id
  })
  const person = { role: 'user', status: 'active', passwordHash: 'none', now } as const
  await gateway
    .insertInto('identity.user')
    .values(people.map((id) => createUserRow({ ...person, id })))
    .execute()
  await gateway
    .insertInto('platform.preference')
    .values(
      people.map((user_id) => ({
        user_id,
        content: JSON.stringify({ marketUpdates: true }),
        updated_at: now,
      })),
    )
    .execute()
  await gateway
    .insertInto('platform.announcement')
    .values({
      id: announcementId,
      kind: 'market-update',
      subject: 'News',
      body: 'The market is open.',
      sent_by: createId(Date.now()),
      sent_at: now,
      recipients: people.length,
    })
    .execute()
  await gateway
    .insertInto('platform.announcement_mail')
    .values(people.map((user_id) => ({ announcement_id: announcementId, user_id })))
    .execute()
  return people
}

const countCopies = (userId: string) => sent.filter((id) => id === userId).length
const countAttempts = (userId: string) => attempted.filter((id) => id === userId).length

test('each person gets at most one copy, wherever the worker or the mail server fails', async () => {
  const [calm, refused, lost, killed] = await announceTo([
    'accepted',
    'refused',
    'lost answer',
    'killed before',
  ])
  if (!calm || !refused || !lost || !killed) throw new Error('each outcome has a person')
  // The worker dies before and after the jobs are made, so the same mails are queued three times.
  const dyingBefore = { insert: () => Promise.reject(new Error('killed')) }
  const dyingAfter = {
    insert: async (...given: Parameters<PgBoss['insert']>) => {
      await boss.insert(...given)
      throw new Error('killed')
    },
  }
  for (const dying of [dyingBefore, dyingAfter]) {
    await expect(feedAnnouncements({ db: worker, boss: dying, clock })).rejects.toThrow('killed')
  }
  expect(await feedAnnouncements({ db: worker, boss, clock })).toBe(4)
  expect(await feedAnnouncements({ db: worker, boss, clock })).toBe(0)

  await vi.waitFor(() => {
    expect(countAttempts(calm)).toBe(1)
    for (const userId of [refused, lost, killed]) expect(countAttempts(userId)).toBe(2)
    expect(countCopies(refused)).toBe(1)
  }, PATIENCE_MS)
  expect(countCopies(calm)).toBe(1)
  // The answer of the mail server was lost, so the person may have the mail.
  expect(countCopies(lost)).toBe(1)
  // A crash between the record and the mail server loses the mail: that is better than two.
  expect(countCopies(killed)).toBe(0)

  const notified = await gateway
    .selectFrom('platform.notification')
    .select('user_id')
    .where('source', 'like', 'announcement/%')
    .execute()
  expect(notified.map(({ user_id }) => user_id).toSorted()).toEqual(
    [calm, refused, lost, killed].toSorted(),
  )
})

test('sabotaged twin: without the record before sending, a lost answer mails a person twice', async () => {
  const [userId = ''] = await announceTo(['unrecorded'])
  await feedAnnouncements({ db: worker, boss, clock })
  await vi.waitFor(() => expect(countCopies(userId)).toBe(2), PATIENCE_MS)
})
