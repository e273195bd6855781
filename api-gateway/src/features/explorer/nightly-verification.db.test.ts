import { NIGHTLY_VERIFICATION } from '@cairn/gateway-contracts'
import { createId, type QueryResponse } from '@cairn/ledger-contracts'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import type { PgBoss } from 'pg-boss'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFakeLedger } from '../../../testing/fake-ledger.ts'
import { startBoss } from '../../platform/jobs/job.ts'
import { numberEvents } from '../../platform/ledger-client/numbered-client.ts'
import { MAIL_QUEUE, MailPayload } from '../../platform/mail/mail-job.ts'
import {
  createVerificationGauges,
  verifyEachNightly,
  verifyNightly,
} from './nightly-verification.ts'

type Run = QueryResponse<'verifications'>['runs'][number]

const INSTALLED = '2026-11-20T15:00:00.000Z'
let database: TestDatabase
let boss: PgBoss
beforeAll(async () => {
  database = await createTestDatabase()
  boss = await startBoss({
    url: database.urlFor('cairn_gateway_worker'),
    log: pino({ level: 'silent' }),
  })
  await boss.createQueue(MAIL_QUEUE)
})
afterAll(async () => {
  await boss?.stop({ graceful: false })
  await database?.drop()
})

/** For each requested run, the number of events after which the run should begin. */
const asked: bigint[] = []
let runs: Run[]
beforeEach(() => {
  runs = []
})

/**
 * Creates a ledger that was installed at `INSTALLED`. Each verification of this ledger ends at
 * once.
 */
function createLedger(found: Partial<Run> = {}) {
  const ledger = createFakeLedger()
  const answers: Record<string, (request: never) => unknown> = {
    verifications: () => ({ runs, startCheckedAt: null }),
    event: () => ({ event: { recordedAt: INSTALLED } }),
    startVerification: ({ by, since }: { by: string; since: bigint }) => {
      asked.push(since)
      runs.unshift(
        createRun({ requestedBy: by, startedAt: new Date(nowMs).toISOString(), ...found }),
      )
      return { id: runs[0]?.id }
    },
  }
  // The cast is safe because the answers have the shapes that the code under test reads.
  ledger.ask = (async (name: string, request: never) => answers[name]?.(request)) as never
  return ledger
}

function createRun(run: Partial<Run>): Run {
  return {
    id: createId(Date.parse(INSTALLED)),
    requestedBy: NIGHTLY_VERIFICATION,
    startedAt: INSTALLED,
    finishedAt: INSTALLED,
    state: 'agrees',
    since: 0n,
    done: 9n,
    of: 9n,
    postings: 18n,
    checkpoints: 1,
    firstBadSeq: null,
    problems: [],
    ...run,
  }
}

let nowMs = 0
async function verifyNightlyAt(time: string, ledger = createLedger()): Promise<number> {
  nowMs = Date.parse(time)
  const before = runs.length
  await verifyNightly({ boss, ledger, nowMs })
  return runs.length - before
}

async function listMails() {
  const jobs = await boss.findJobs(MAIL_QUEUE)
  const mails = jobs.map(({ data }) => MailPayload.parse(data))
  return mails.flatMap((mail) => (mail.source === 'verification' ? [mail] : [])).sort(compareStart)
}

function compareStart(one: { startedAt: string }, other: { startedAt: string }): number {
  return Date.parse(one.startedAt) - Date.parse(other.startedAt)
}

test('the ledger is verified once a night, from the first night after its installation', async () => {
  expect(await verifyNightlyAt('2026-11-20T15:01:00Z')).toBe(0)
  expect(await verifyNightlyAt('2026-11-21T01:59:00Z')).toBe(0)
  expect(await verifyNightlyAt('2026-11-21T02:00:00Z')).toBe(1)
  expect(await verifyNightlyAt('2026-11-21T02:01:00Z')).toBe(0)
  expect(await verifyNightlyAt('2026-11-21T23:59:00Z')).toBe(0)
  // The worker was stopped at the start of the second night.
  expect(await verifyNightlyAt('2026-11-22T09:00:00Z')).toBe(1)
  expect(await verifyNightlyAt('2026-11-23T02:00:00Z')).toBe(1)
})

test('one run of seven reads the whole log, and each other run continues from the verified state', async () => {
  asked.length = 0
  for (let day = 20; day < 27; day += 1) await verifyNightlyAt(`2027-01-${day}T02:00:00Z`)
  expect(asked).toHaveLength(7)
  expect(asked.filter((since) => since === 0n)).toHaveLength(1)
})

test('a forged run of the future does not replace the nightly run', async () => {
  runs = [createRun({ startedAt: '2999-01-01T00:00:00.000Z' })]
  expect(await verifyNightlyAt('2026-11-21T03:00:00Z')).toBe(1)
})

test('a run that an administrator started does not replace the nightly run', async () => {
  runs = [createRun({ requestedBy: 'admin:ada', startedAt: '2026-11-21T02:30:00.000Z' })]
  expect(await verifyNightlyAt('2026-11-21T03:00:00Z')).toBe(1)
})

test('each run with a difference causes one mail, and a run without a difference causes none', async () => {
  await verifyNightlyAt('2026-11-21T02:00:00Z')
  await verifyNightlyAt('2026-11-21T02:01:00Z')
  expect(await listMails()).toEqual([])
  const problems = [
    'event 41: gives a different event when it is decided again',
    'the balance differs',
  ]
  const ledger = createLedger({ state: 'differs', firstBadSeq: 41n, problems })
  await verifyNightlyAt('2026-11-22T02:00:00Z', ledger)
  await verifyNightlyAt('2026-11-22T02:01:00Z', ledger)
  await verifyNightlyAt('2026-11-22T02:02:00Z', ledger)
  const [mail, ...others] = await listMails()
  expect(others).toEqual([])
  expect(mail).toMatchObject({ source: 'verification', count: 2, event: '41', first: problems[0] })

  runs = [createRun({ state: 'cut-off', startedAt: '2026-11-23T02:00:00.000Z', finishedAt: null })]
  await verifyNightlyAt('2026-11-23T02:05:00Z')
  expect((await listMails()).at(-1)).toMatchObject({
    count: 0,
    first: 'the verification ended without a result',
  })
})

test('a ledger that does not answer keeps no other one from its verification, and is tried again', async () => {
  nowMs = Date.parse('2026-12-01T02:00:00Z')
  const silent = createFakeLedger()
  silent.ask = () => Promise.reject(new Error('no answer'))
  const ledgers = [silent, createLedger()]
  const verifying = verifyEachNightly({ boss, ledgers, nowMs })
  await expect(verifying).rejects.toThrow('the run of some ledgers failed')
  expect(runs).toHaveLength(1)
})

test('a difference in a further ledger is mailed with the number of its event in the site', async () => {
  nowMs = Date.parse('2026-12-02T02:00:00Z')
  const ledger = numberEvents(createLedger({ state: 'differs', firstBadSeq: 41n }), 2)
  await verifyEachNightly({ boss, ledgers: [ledger], nowMs })
  await verifyEachNightly({ boss, ledgers: [ledger], nowMs })
  expect(runs).toHaveLength(1)
  expect((await listMails()).at(-1)).toMatchObject({ event: '2000000000041' })
})

test('the gauges have the newest complete verification of each ledger, and -1 without one', async () => {
  const now = Date.parse('2026-12-03T02:00:00Z')
  const finishedAt = '2026-12-03T01:00:00.000Z'
  const ledgerOf = (found: readonly Run[]) => {
    const ledger = createFakeLedger()
    ledger.ask = (async () => ({ runs: found, startCheckedAt: null })) as never
    return ledger
  }
  const silent = createFakeLedger()
  silent.ask = () => Promise.reject(new Error('no answer'))
  const clients = [
    ledgerOf([createRun({ finishedAt: null }), createRun({ finishedAt, problems: [] })]),
    ledgerOf([createRun({ finishedAt, state: 'differs', problems: ['the balance differs'] })]),
    ledgerOf([]),
    silent,
  ]
  let isListed = true
  const ledgers = {
    list: async () => {
      if (!isListed) throw new Error('no database')
      return [1, 2, 3, 4]
    },
    getClient: (number: number) => clients[number - 1] ?? silent,
  }
  const gauges = createVerificationGauges(ledgers, () => now)
  const readGauges = () =>
    Promise.all(gauges.map(async ({ read }) => Object.fromEntries(await read())))
  const expected = [
    { 1: 3_600, 2: 3_600, 3: -1, 4: -1 },
    { 1: 0, 2: 1, 3: -1, 4: -1 },
  ]
  expect(await readGauges()).toEqual(expected)
  isListed = false
  expect(await readGauges()).toEqual(expected)
})
