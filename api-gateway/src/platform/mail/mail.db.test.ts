import type { RecordedEvent } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { PATIENCE_MS } from '@cairn/local/time-limit'
import { createTransport } from 'nodemailer'
import type { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createFakeLedger } from '../../../testing/fake-ledger.ts'
import { createRecordedEvent } from '../../../testing/recorded-event.ts'
import { addMailReader, type SentMail } from '../../../testing/sent-mail.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { runInRequest } from '../http/request-scope.ts'
import { followOnce } from '../jobs/follower.ts'
import { runQueue, startBoss } from '../jobs/job.ts'
import { createKeyRing } from '../keys/key-ring.ts'
import { createOutboxSeal } from '../keys/seal.ts'
import { createSettings } from '../settings-store/site-settings.ts'
import { deliverMail } from './deliver.ts'
import { createMailFollower } from './event-follower.ts'
import { MAIL_QUEUE, MailPayload } from './mail-job.ts'
import { MAIL_KINDS } from './mail-kinds.ts'
import { queueMail } from './outbox.ts'
import { feedOutbox } from './outbox-feeder.ts'
import { renderMail } from './render.ts'

const USER = '0123456789abcdefghjk'
const lines: string[] = []
const log = pino({ level: 'info' }, { write: (line) => void lines.push(line) })
const seal = createOutboxSeal(createKeyRing({ value: 'a secret for tests' }))
const clock = { now: Date.now }

const sent: SentMail[] = []
let failures = 0
const transport = {
  sendMail: async (mail: unknown) => {
    if (failures > 0) {
      failures -= 1
      throw new Error('the mail server is away')
    }
    // The cast is safe because `deliverMail` passes such an object.
    sent.push(mail as SentMail)
  },
}

let database: TestDatabase
let owner: Database
let worker: Database
let boss: PgBoss

beforeAll(async () => {
  database = await createTestDatabase()
  const openAs = (role: string) =>
    openDatabase({ url: database.urlFor(role), applicationName: 'test', onError: () => {} })
  owner = openAs('cairn_gateway')
  worker = openAs('cairn_gateway_worker')
  await addMailReader(owner, USER)
  const publicUrl = 'https://cairn.test'
  const ledger = createFakeLedger()
  const settings = createSettings(worker, { isDemo: false, publicUrl })
  boss = await startBoss({ url: database.urlFor('cairn_gateway_worker'), log })
  await runQueue(
    boss,
    {
      queue: MAIL_QUEUE,
      payload: MailPayload,
      retryLimit: 3,
      retryDelaySeconds: 1,
      expireSeconds: 60,
      handle: (payload) =>
        deliverMail({ db: worker, ledger, clock, seal, settings, transport, publicUrl }, payload),
    },
    log,
  )
})
beforeEach(() => {
  sent.length = 0
  failures = 0
})
afterAll(async () => {
  await boss.stop({ graceful: true, timeout: 2_000 })
  await Promise.all([owner.destroy(), worker.destroy()])
  await database.drop()
})

describe('the outbox', () => {
  test('sends a code once, even if it is delivered repeatedly, and then deletes it', async () => {
    const content = { code: '0042', minutes: '10' }
    const mail = { kind: 'verification-code', userId: USER, content, nowMs: Date.now() } as const
    await runInRequest('request-7', () =>
      owner.transaction().execute((trx) => queueMail(trx, seal, mail)),
    )
    expect(await feedOutbox({ db: worker, boss, clock })).toBe(1)
    await owner.updateTable('identity.outbox').set({ handed_over_at: null }).execute()
    await feedOutbox({ db: worker, boss, clock })

    await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENCE_MS)
    expect(sent[0]).toMatchObject({ to: { address: 'anna@example.com' } })
    expect(sent[0]?.text).toContain('0042')
    await vi.waitFor(async () => {
      const row = await owner.selectFrom('identity.outbox').selectAll().executeTakeFirstOrThrow()
      expect(row.sealed).toBeNull()
    }, PATIENCE_MS)
    // The worker logs the request id, as the gateway and the ledger do.
    const listLogLines = () => lines.filter((line) => line.includes('"requestId":"request-7"'))
    await vi.waitFor(() => expect(listLogLines()).toHaveLength(1), PATIENCE_MS)
    expect(JSON.parse(listLogLines()[0] ?? '')).toMatchObject({
      queue: MAIL_QUEUE,
      msg: 'job done',
    })
  })

  test('shows no link of a name, because the address may belong to a stranger', async () => {
    const renameUser = (name: string) =>
      owner.updateTable('identity.user').set({ name }).where('id', '=', USER).execute()
    const hostile = 'You won: https://evil.test/claim evil.test\r\n\r\nPay now'
    const { name: before } = await owner
      .selectFrom('identity.user')
      .select('name')
      .where('id', '=', USER)
      .executeTakeFirstOrThrow()
    await renameUser(hostile)
    const content = { code: '0042', minutes: '10' }
    const mail = { kind: 'email-change-code', userId: USER, content, nowMs: Date.now() } as const
    await owner.transaction().execute((trx) => queueMail(trx, seal, mail))
    await feedOutbox({ db: worker, boss, clock })
    await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENCE_MS)
    expect(sent[0]?.text).toContain('Hello You evil. test Pay now,')
    expect(JSON.stringify(sent[0])).not.toMatch(/evil\.test/)
    await renameUser(before)

    // Sabotaged twin: without `toMailName`, the mail would contain the link.
    const site = { siteName: 'Cairn', siteUrl: 'https://cairn.test' }
    const raw = await renderMail(MAIL_KINDS['email-change-code'], { ...site, name: hostile })
    expect(raw.text).toContain('https://evil.test/claim')
  })

  test('adds no header and no recipient, whatever a name and an address contain', async () => {
    const BCC = '\r\nbcc: thief@evil.test\r\n\r\npay now'
    const change = (name: string, email: string) =>
      owner.updateTable('identity.user').set({ name, email }).where('id', '=', USER).execute()
    await change(`Anna${BCC}`, `anna@example.com${BCC}`)
    const mail = { kind: 'password-changed', userId: USER, content: {}, nowMs: Date.now() } as const
    await owner.transaction().execute((trx) => queueMail(trx, seal, mail))
    await feedOutbox({ db: worker, boss, clock })
    await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENCE_MS)
    await change('Anna', 'anna@example.com')

    const composer = createTransport({ streamTransport: true, buffer: true })
    const { message, envelope } = await composer.sendMail({ ...sent[0] })
    expect(listHeaders(message.toString())).not.toContain('bcc')
    expect(listHeaders(message.toString())).toEqual(expect.arrayContaining(['to', 'subject']))
    expect(envelope.to).not.toContain('thief@evil.test')
    expect(envelope.to).toHaveLength(1)

    // Sabotaged twin: if the headers are written as text, the message has a Bcc header.
    expect(listHeaders(`To: Anna${BCC}\r\nSubject: x\r\n\r\n`)).toContain('bcc')
  })

  test('is not written if the change that causes the mail is not committed', async () => {
    const before = await countOutbox()
    const mail = {
      kind: 'verification-code',
      userId: USER,
      content: {},
      nowMs: Date.now(),
    } as const
    const cutOff = owner.transaction().execute(async (trx) => {
      await queueMail(trx, seal, mail)
      throw new Error('cut off')
    })
    await expect(cutOff).rejects.toThrow('cut off')
    expect(await countOutbox()).toBe(before)
  })
})

describe('the follower of the event log', () => {
  test('mails each event once over repeated and killed runs, and retries when the mail server is down', async () => {
    failures = 1
    const ledger = createLedgerWith([createDeposit(0n), createAccrual(1n), createDeposit(2n)])
    const deps = { db: worker, ledger, clock }
    const follower = createMailFollower(boss)
    const { signal } = new AbortController()
    const killed = {
      ...follower,
      handle: async (...page: Parameters<typeof follower.handle>) => {
        await follower.handle(...page)
        throw new Error('killed')
      },
    }
    await expect(followOnce(deps, killed, signal)).rejects.toThrow('killed')
    await followOnce(deps, follower, signal)
    await followOnce(deps, follower, signal)

    await vi.waitFor(() => expect(sent).toHaveLength(2), PATIENCE_MS)
    expect(sent.map(({ messageId }) => messageId).toSorted()).toEqual([
      '<event-1-0@cairn.test>',
      '<event-1-2@cairn.test>',
    ])
    const row = await worker.selectFrom('platform.cursor').selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ name: 'mail.v1', seq: '2' })
  })

  test('sends no mail for events recorded long after they happened', async () => {
    const late = { ...createDeposit(3n), effectiveAt: '2026-01-01T00:00:00.000Z' }
    const deps = { db: worker, ledger: createLedgerWith([late]), clock }
    await followOnce(deps, createMailFollower(boss), new AbortController().signal)
    const jobs = await boss.findJobs(MAIL_QUEUE, { data: { seq: '3' } })
    expect(jobs).toEqual([])
  })

  test('tells of investments that ended during an outage, and not of those of a history', async () => {
    const effectiveAt = '2026-02-26T00:00:00.000Z'
    const late = { ...createMaturity(4n), effectiveAt }
    const demo = { ...createMaturity(5n), effectiveAt, actor: 'system:demo' }
    const deps = { db: worker, ledger: createLedgerWith([late, demo]), clock }
    await followOnce(deps, createMailFollower(boss), new AbortController().signal)
    await vi.waitFor(() => expect(sent).toHaveLength(1), PATIENCE_MS)
    expect(sent.map(({ messageId }) => messageId)).toEqual(['<event-1-4@cairn.test>'])
    expect(await boss.findJobs(MAIL_QUEUE, { data: { seq: '5' } })).toEqual([])
  })
})

function createLedgerWith(events: readonly RecordedEvent[]) {
  return {
    ...createFakeLedger(),
    events: async ({ after }: { after: bigint }) => ({
      events: events.filter(({ seq }) => seq > after),
      size: BigInt(events.length),
    }),
  }
}

function createDeposit(seq: bigint): RecordedEvent {
  const data = {
    transactionId: USER,
    investorId: USER,
    amountMinor: '10000',
    requestedMinor: '12000',
    feeMinor: '0',
    cash: 'treasury',
  }
  return { ...createAccrual(seq), type: 'DepositApproved', data }
}

function createMaturity(seq: bigint): RecordedEvent {
  const data = {
    investmentId: USER,
    investorId: USER,
    units: 10,
    profitMinor: '100',
    creditedMinor: '1000',
    principalMinor: '10000',
    isPrincipalReturned: true,
  }
  return { ...createAccrual(seq), type: 'InvestmentMatured', data }
}

function createAccrual(seq: bigint): RecordedEvent {
  const recordedAt = '2026-03-01T00:00:00.000Z'
  return createRecordedEvent({
    seq,
    type: 'ProfitAccrued',
    actor: 'system:accruals',
    recordedAt,
  })
}

async function countOutbox(): Promise<number> {
  return (await owner.selectFrom('identity.outbox').select('id').execute()).length
}

/** Returns the names of the header lines of a mail, without the continuation lines. */
function listHeaders(message: string): readonly string[] {
  const [head = ''] = message.split(/\r?\n\r?\n/)
  return [...head.matchAll(/^([\w-]+):/gm)].map(([, name = '']) => name.toLowerCase())
}
