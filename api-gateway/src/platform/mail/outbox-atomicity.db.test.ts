import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { PATIENCE_MS } from '@cairn/local/time-limit'
import type { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createFakeLedger } from '../../../testing/fake-ledger.ts'
import { addMailReader, type SentMail } from '../../../testing/sent-mail.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { runQueue, startBoss } from '../jobs/job.ts'
import { createKeyRing } from '../keys/key-ring.ts'
import { createOutboxSeal } from '../keys/seal.ts'
import { createSettings } from '../settings-store/site-settings.ts'
import { deliverMail } from './deliver.ts'
import { MAIL_QUEUE, MailPayload } from './mail-job.ts'
import { queueMail } from './outbox.ts'
import { feedOutbox } from './outbox-feeder.ts'

const MAILS_PER_POINT = 8
const POINTS = [
  'none',
  'before the jobs are made',
  'after the jobs are made',
  'before it is sent',
  'after it is sent',
  'after it is recorded',
] as const
type Point = (typeof POINTS)[number]

const USER = '0123456789abcdefghjk'
const publicUrl = 'https://cairn.test'
const log = pino({ level: 'silent' })
const seal = createOutboxSeal(createKeyRing({ value: 'a secret for tests' }))
const clock = { now: Date.now }

let database: TestDatabase
let gateway: Database
let worker: Database
let boss: PgBoss
const sent: SentMail[] = []
/**
 * The point at which the process must crash, for each mail. The key is the mark in the text of the
 * mail. An entry is deleted after its crash.
 */
const doomed = new Map<string, Point>()

/** Returns true the first time that this mail reaches the point at which the process must crash. */
function shouldCrash(mark: string, point: Point): boolean {
  return doomed.get(mark) === point && doomed.delete(mark)
}

beforeAll(async () => {
  database = await createTestDatabase()
  const openAs = (role: string) =>
    openDatabase({ url: database.urlFor(role), applicationName: 'test', onError: () => {} })
  gateway = openAs('cairn_gateway')
  worker = openAs('cairn_gateway_worker')
  await addMailReader(gateway, USER)
  boss = await startBoss({ url: database.urlFor('cairn_gateway_worker'), log })
  const settings = createSettings(worker, { isDemo: false, publicUrl })
  const ledger = createFakeLedger()
  const transport = {
    sendMail: async (mail: unknown) => {
      // The cast is safe because `deliverMail` passes such an object.
      const letter = mail as SentMail
      const mark = findMark(letter)
      if (shouldCrash(mark, 'before it is sent')) throw new Error('killed')
      sent.push(letter)
      if (shouldCrash(mark, 'after it is sent')) throw new Error('killed')
    },
  }
  const handle = async (payload: MailPayload) => {
    const before = sent.length
    await deliverMail({ db: worker, ledger, clock, seal, settings, transport, publicUrl }, payload)
    const letter = sent[before]
    if (letter !== undefined && shouldCrash(findMark(letter), 'after it is recorded')) {
      throw new Error('killed')
    }
  }
  const limits = { retryLimit: 5, retryDelaySeconds: 1, expireSeconds: 60 }
  await runQueue(boss, { queue: MAIL_QUEUE, payload: MailPayload, ...limits, handle }, log)
})
afterAll(async () => {
  await boss.stop({ graceful: true, timeout: 2_000 })
  await Promise.all([gateway.destroy(), worker.destroy()])
  await database.drop()
})

function findMark({ text }: SentMail): string {
  return /mark-\d+/.exec(text)?.[0] ?? ''
}

let marks = 0
function createMark(): string {
  marks += 1
  return `mark-${marks}`
}

function createMail(mark: string) {
  const content = { ip: mark, browser: 'Firefox' }
  return { kind: 'new-login', userId: USER, content, nowMs: Date.now() } as const
}

/** Creates a pg-boss that crashes before or after it creates the jobs of this mail. */
function createCrashingBoss(mark: string): PgBoss {
  const mortal = Object.create(boss) as PgBoss
  mortal.insert = async (...given: Parameters<PgBoss['insert']>) => {
    if (shouldCrash(mark, 'before the jobs are made')) throw new Error('killed')
    const made = await boss.insert(...given)
    if (shouldCrash(mark, 'after the jobs are made')) throw new Error('killed')
    return made
  }
  return mortal
}

async function feedUntilDone(mark: string): Promise<void> {
  const feed = () => feedOutbox({ db: worker, boss: createCrashingBoss(mark), clock })
  await feed().catch(() => undefined)
  await feed()
}

const listCopies = (mark: string) => sent.filter((letter) => findMark(letter) === mark)

describe('T20 the outbox', () => {
  test('sends each committed mail, wherever a process dies, and none that was not committed', async () => {
    const committed = new Map<string, Point>()
    const rolledBack: string[] = []
    for (const point of POINTS) {
      for (let count = 0; count < MAILS_PER_POINT; count += 1) {
        const mark = createMark()
        committed.set(mark, point)
        if (point !== 'none') doomed.set(mark, point)
        await gateway.transaction().execute((trx) => queueMail(trx, seal, createMail(mark)))
        await feedUntilDone(mark)
        const lost = createMark()
        rolledBack.push(lost)
        const cutOff = gateway.transaction().execute(async (trx) => {
          await queueMail(trx, seal, createMail(lost))
          throw new Error('killed')
        })
        await expect(cutOff).rejects.toThrow('killed')
      }
    }
    await vi.waitFor(() => {
      expect([...committed.keys()].filter((mark) => listCopies(mark).length === 0)).toEqual([])
      expect(doomed.size).toBe(0)
    }, PATIENCE_MS)
    await vi.waitFor(async () => {
      const left = await gateway
        .selectFrom('identity.outbox')
        .select('id')
        .where('sealed', 'is not', null)
        .execute()
      expect(left).toEqual([])
    }, PATIENCE_MS)

    for (const [mark, point] of committed) {
      const copies = listCopies(mark)
      // Only a crash between sending and recording sends a mail twice.
      expect({ point, copies: copies.length }).toEqual({
        point,
        copies: point === 'after it is sent' ? 2 : 1,
      })
      expect(new Set(copies.map(({ messageId }) => messageId)).size).toBe(1)
    }
    expect(rolledBack.flatMap(listCopies)).toEqual([])
  })

  test('sabotaged twin: a mail that is marked as sent before its job is created is lost', async () => {
    const mark = createMark()
    doomed.set(mark, 'before the jobs are made')
    await gateway.transaction().execute((trx) => queueMail(trx, seal, createMail(mark)))
    await worker.updateTable('identity.outbox').set({ handed_over_at: new Date() }).execute()
    const careless = createCrashingBoss(mark).insert(MAIL_QUEUE, [])
    await expect(careless).rejects.toThrow('killed')
    await feedUntilDone(mark)
    // Mails are sent in order. If the first mail were sent twice, its copy would have arrived
    // before this mail.
    const later = createMark()
    await gateway.transaction().execute((trx) => queueMail(trx, seal, createMail(later)))
    await feedUntilDone(later)
    await vi.waitFor(() => expect(listCopies(later)).toHaveLength(1), PATIENCE_MS)
    expect(listCopies(mark)).toEqual([])
  })
})
