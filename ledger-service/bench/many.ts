import { setTimeout as delay } from 'node:timers/promises'
import { createId, createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { requireRecordedAnswers } from './books.ts'
import type { CallersResult } from './callers.ts'
import { runInChild } from './child.ts'
import { createActivation, createFunding } from './commands.ts'
import { createPlainFetch } from './plain-fetch.ts'
import { measureOtherLoad } from './quiet.ts'
import { readResidentMb } from './resident.ts'
import {
  type Bench,
  createCeilingRow,
  createComparison,
  measureAlternately,
  type Row,
} from './row.ts'
import type { BenchDatabase } from './server.ts'
import { type Service, startService } from './service.ts'
import { countConnections, countTransactions } from './statistics.ts'

const LEDGERS = 1_000
const BUSY = 100
const CALLERS_PER_LEDGER = 4
const INVESTORS_PER_LEDGER = 4
const OPENED_AT_ONCE = 32
/** The service has other work in the first seconds after a start. */
const SETTLE_MS = 15_000
const IDLE_SECONDS = 10
const READY_MS_MAX = 10_000
const CONNECTIONS_MAX = 60
const IDLE_QUERIES_MAX = 100
const RESIDENT_MB_MAX = 1_000

export interface ManyJob {
  port: number
  token: string
  busy: readonly BusyLedger[]
  callersPerLedger: number
  seconds: number
}

interface BusyLedger {
  ledger: number
  investors: readonly string[]
}

/** Measures a service with a thousand ledgers, of which a hundred are busy. */
export const manyLedgersBench: Bench = {
  title: 'many-ledgers',
  run: async (server, { seconds, report }) => {
    const database = await server.createDatabase()
    const all = await runWithService(database, ({ service }) => fillLedgers(service))
    await server.checkpoint()
    await measureOtherLoad()
    await runWithService(database, async ({ service, readyMs }) => {
      await delay(SETTLE_MS)
      report([
        row({ name: 'ready', unit: 'ms', value: readyMs, ceiling: READY_MS_MAX }),
        row({
          name: 'queries while nothing happens',
          unit: 'queries/s',
          value: await countTransactions(database, IDLE_SECONDS),
          ceiling: IDLE_QUERIES_MAX,
        }),
      ])
      report(await measureBusy(database, { service, all, seconds }))
      await checkLedgers(service)
    })
  },
}

const row = (figure: Parameters<typeof createCeilingRow>[0]) =>
  createCeilingRow({ ...figure, name: `${LEDGERS} ledgers: ${figure.name}` })

async function measureBusy(
  database: BenchDatabase,
  given: { service: Service; all: readonly BusyLedger[]; seconds: number },
): Promise<readonly Row[]> {
  const { service, all, seconds } = given
  const measured = {
    one: (part: number) => measureRate(service, all.slice(0, 1), part),
    hundred: (part: number) => measureRate(service, all.slice(0, BUSY), part),
  }
  const { one, hundred } = await measureAlternately(seconds, measured)
  const name = `${LEDGERS} ledgers: ${BUSY} busy ledgers together, ${CALLERS_PER_LEDGER} callers each`
  return [
    createComparison({
      name,
      unit: 'commands/s',
      value: hundred.perSecond,
      p99Ms: hundred.p99Ms ?? 0,
      baseline: `one busy ledger, ${CALLERS_PER_LEDGER} callers`,
      baselineValue: one.perSecond,
      baselineP99Ms: one.p99Ms ?? 0,
      bar: 1,
    }),
    row({
      name: `connections with ${BUSY} busy ledgers`,
      unit: 'connections',
      value: await countConnections(database),
      ceiling: CONNECTIONS_MAX,
    }),
    row({
      name: 'resident memory of the service',
      unit: 'MB',
      value: await readResidentMb(service.pid),
      ceiling: RESIDENT_MB_MAX,
    }),
  ]
}

async function runWithService<T>(
  database: BenchDatabase,
  work: (started: { service: Service; readyMs: number }) => Promise<T>,
): Promise<T> {
  const began = performance.now()
  const service = await startService(database, { LEDGERS: String(LEDGERS) })
  const readyMs = performance.now() - began
  try {
    return await work({ service, readyMs })
  } finally {
    await service.stop()
  }
}

/** Records a few events in each ledger, so that each ledger has a log, a head and a checkpoint. */
async function fillLedgers(service: Service): Promise<readonly BusyLedger[]> {
  const filled: BusyLedger[] = []
  const left = Array.from({ length: LEDGERS }, (_, index) => index + 1).values()
  async function fillNext(): Promise<void> {
    for (const ledger of left) {
      const investors = Array.from({ length: INVESTORS_PER_LEDGER }, () => createId(Date.now()))
      const commands = investors.flatMap((id) => [createActivation(id), createFunding(id, 1_000n)])
      requireRecordedAnswers(await openClient(service, ledger).submitMany(commands, 'bulk'))
      filled.push({ ledger, investors })
    }
  }
  await Promise.all(Array.from({ length: OPENED_AT_ONCE }, fillNext))
  return filled.toSorted((one, other) => one.ledger - other.ledger)
}

function openClient({ port, token }: Service, ledger: number): LedgerClient {
  const url = `http://127.0.0.1:${port}`
  return createLedgerClient({ url, token, ledger, fetch: createPlainFetch() })
}

function measureRate(
  { port, token }: Service,
  busy: readonly BusyLedger[],
  seconds: number,
): Promise<CallersResult> {
  const job: ManyJob = { port, token, busy, callersPerLedger: CALLERS_PER_LEDGER, seconds }
  return runInChild('many-process.ts', job)
}

/** Compares the log of every tenth busy ledger. */
async function checkLedgers(service: Service): Promise<void> {
  for (let ledger = 1; ledger <= BUSY; ledger += BUSY / 10) {
    const { problems } = await openClient(service, ledger).ask('check', {})
    if (problems.length > 0) throw new Error(`ledger ${ledger}: ${problems.join('; ')}`)
  }
}
