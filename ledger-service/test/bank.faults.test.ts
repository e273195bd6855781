import { setTimeout as delay } from 'node:timers/promises'
import { createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { readUntilAnswered } from '@cairn/local/repeated-read'
import { JUDGES_TIMES } from '@cairn/local/time-limit'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Bank,
  openBank,
  type Reading,
  readInOneStatement,
  readInTwoStatements,
} from './support/bank.ts'
import { type ChaosProxy, type NetworkFault, startChaosProxy } from './support/chaos-proxy.ts'
import { type CrashablePostgres, startCrashablePostgres } from './support/crashable-postgres.ts'
import { recordFigure } from './support/figure.ts'
import { type ServiceProcess, startServiceProcess, TEST_TOKEN } from './support/service-process.ts'

/** The duration of the test in seconds. In `npm run torture`, the duration is one minute. */
const SECONDS = Number(process.env.TORTURE_BANK_SECONDS ?? 4)
// A busy machine may read more slowly, so the full rate is required only if durations are checked.
const READS_PER_SECOND_MIN = JUDGES_TIMES ? 34 : 2
const CLIENTS = 8
const READERS = 3
const CALM_MS = 400
const STORM_MS = 400

let postgres: CrashablePostgres
let service: ServiceProcess
let proxy: ChaosProxy
let client: LedgerClient
let bank: Bank
beforeAll(async () => {
  postgres = await startCrashablePostgres()
  service = await startServiceProcess({ databaseUrl: postgres.database.urlFor('cairn_ledger') })
  proxy = await startChaosProxy(service)
  client = createLedgerClient({ url: `http://127.0.0.1:${proxy.port}`, token: TEST_TOKEN })
  bank = await openBank(service.client)
})
afterAll(async () => {
  proxy.close()
  await service.end('SIGTERM')
  await postgres.drop()
})

/**
 * Runs clients that move money and readers that sum all balances, while `disturb` causes faults.
 * Returns the wrong sums.
 */
async function readDuringFaults(
  read: (from: LedgerClient) => Promise<Reading>,
  disturb: (seen: { readonly wrong: readonly Reading[] }) => Promise<void>,
): Promise<{ reads: number; lost: number; wrong: readonly Reading[] }> {
  const seen = { reads: 0, lost: 0, wrong: [] as Reading[] }
  const state = { isRunning: true }

  async function moveInLoop(): Promise<void> {
    while (state.isRunning) await bank.move(client)
  }

  async function readInLoop(): Promise<void> {
    while (state.isRunning) {
      const found = await read(client).catch(() => null)
      if (found === null) {
        seen.lost += 1
        await delay(10)
        continue
      }
      seen.reads += 1
      const { sumMinor, investorsMinor, negatives } = found
      const isRight = sumMinor === 0n && investorsMinor === bank.totalMinor && negatives === 0
      if (!isRight) seen.wrong.push(found)
    }
  }

  const all = [
    ...Array.from({ length: CLIENTS }, moveInLoop),
    ...Array.from({ length: READERS }, readInLoop),
  ]
  await disturb(seen).finally(() => {
    state.isRunning = false
  })
  await Promise.all(all)
  return seen
}

async function injectFault(kind: NetworkFault): Promise<void> {
  proxy.set(kind)
  await delay(STORM_MS)
  proxy.set('calm')
}

async function terminateBackends(): Promise<void> {
  const superuser = new pg.Client({ connectionString: postgres.database.url })
  await superuser.connect()
  await superuser.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'cairn_ledger'`,
  )
  await superuser.end()
}

const FAULTS: readonly (() => Promise<void>)[] = [
  terminateBackends,
  () => injectFault('half-open'),
  async () => {
    await postgres.crash()
    await postgres.start()
  },
  () => injectFault('swallowing'),
  () => injectFault('late'),
  async () => {
    await service.end('SIGKILL')
    await service.start()
  },
  () => injectFault('resetting'),
]

test('every read of all balances adds up to zero during all faults', async ({ task }) => {
  const until = performance.now() + SECONDS * 1_000
  let faults = 0
  const seen = await readDuringFaults(readInOneStatement, async () => {
    for (; performance.now() < until || faults < FAULTS.length; faults += 1) {
      await delay(CALM_MS)
      await FAULTS[faults % FAULTS.length]?.()
    }
    await delay(CALM_MS)
  })
  expect(seen.wrong).toEqual([])
  expect(seen.reads).toBeGreaterThanOrEqual(SECONDS * READS_PER_SECOND_MIN)
  const known = await checkOutcomes()
  recordFigure(task, `0 wrong of ${seen.reads} reads, ${faults} faults, movements ${known}`)
})

/**
 * Checks that each recorded movement is in the log exactly once, and that no failed movement is in
 * the log.
 */
async function checkOutcomes(): Promise<string> {
  const recorded = new Map<string, number>()
  for (let after = -1n, isMore = true; isMore; ) {
    const { events } = await service.client.events({ after, waitSeconds: 0, limit: 1_000 })
    for (const { actor } of events) recorded.set(actor, (recorded.get(actor) ?? 0) + 1)
    after = events.at(-1)?.seq ?? after
    isMore = events.length > 0
  }
  const counts = { ok: 0, failed: 0, unknown: 0 }
  for (const [actor, outcome] of bank.outcomes) {
    counts[outcome] += 1
    const times = recorded.get(actor) ?? 0
    const allowed = { ok: [1], failed: [0], unknown: [0, 1] }[outcome]
    expect({ actor, outcome, times }).toMatchObject({
      times: expect.toSatisfy((n) => allowed.includes(n)),
    })
  }
  expect((await readUntilAnswered(() => service.client.ask('check', {}))).problems).toEqual([])
  expect(counts.ok).toBeGreaterThan(0)
  expect(counts.unknown).toBeGreaterThan(0)
  return `${counts.ok} ok, ${counts.failed} refused, ${counts.unknown} unknown`
}

test('sabotaged twin: a reader that uses two statements sees wrong sums', async ({ task }) => {
  const { wrong, reads } = await readDuringFaults(readInTwoStatements, async (seen) => {
    await expect.poll(() => seen.wrong.length).toBeGreaterThan(0)
  })
  recordFigure(task, `${wrong.length} wrong of ${reads} reads`)
})
