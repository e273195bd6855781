import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createId, createLedgerClient, type LedgerClient } from '@cairn/ledger-contracts'
import { createCitusDatabase, isWithoutCitus } from '../test/support/citus.ts'
import { requireRecordedAnswers, runWithPool } from './books.ts'
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

const CALLERS_PER_LEDGER = 4
const INVESTORS_PER_LEDGER = 4
const OPENED_AT_ONCE = 32
/** The service has other work in the first seconds after a start. */
const SETTLE_MS = 15_000
const IDLE_SECONDS = 10
const READY_MS_MAX = 10_000
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

interface Setting {
  readonly database: BenchDatabase
  /** The URL of each server that has a part of the database. */
  readonly urls: readonly string[]
  readonly ledgers: number
  readonly busy: number
  readonly connectionsMax: number
  /** Precedes the name of each row. */
  readonly name: string
}

/** Measures a service with a thousand ledgers, of which a hundred are busy. */
export const manyLedgersBench: Bench = {
  title: 'many-ledgers',
  run: async (server, options) => {
    const database = await server.createDatabase()
    const urls = [database.url]
    const size = { ledgers: 1_000, busy: 100, connectionsMax: 60, name: '1000 ledgers' }
    await measureLedgers({ database, urls, ...size }, { ...options, settle: server.checkpoint })
  },
}

/** Measures a service whose 64 ledgers, all busy, are spread over a cluster (TEST_CITUS_URL). */
export const citusManyLedgersBench: Bench = {
  title: 'citus-many-ledgers',
  run: async (_server, options) => {
    if (isWithoutCitus) return void process.stdout.write('skipped: TEST_CITUS_URL is not set\n')
    const cluster = await createCitusDatabase()
    const keyFolder = await mkdtemp(join(tmpdir(), 'cairn-bench-citus-'))
    const ledgerUrl = cluster.urlFor('cairn_ledger')
    const database = { name: 'citus', url: cluster.url, ledgerUrl, keyFolder }
    const urls = cluster.nodes.map((node) => cluster.urlOn(node))
    const size = { ledgers: 64, busy: 64, connectionsMax: 100, name: '64 ledgers on a cluster' }
    const settle = () =>
      Promise.all(urls.map((url) => runWithPool(url, (pool) => pool.query('checkpoint'))))
    await measureLedgers({ database, urls, ...size }, { ...options, settle })
    await rm(keyFolder, { recursive: true })
    await cluster.drop()
  },
}

async function measureLedgers(
  setting: Setting,
  { seconds, report, settle }: Parameters<Bench['run']>[1] & { settle(): Promise<unknown> },
): Promise<void> {
  const { urls } = setting
  const row = createRows(setting)
  const all = await runWithService(setting, ({ service }) => fillLedgers(service, setting.ledgers))
  await settle()
  await measureOtherLoad()
  await runWithService(setting, async ({ service, readyMs }) => {
    await delay(SETTLE_MS)
    report([
      row({ name: 'ready', unit: 'ms', value: readyMs, ceiling: READY_MS_MAX }),
      row({
        name: 'queries while nothing happens',
        unit: 'queries/s',
        value: await sumOf(urls, (url) => countTransactions(url, IDLE_SECONDS)),
        ceiling: IDLE_QUERIES_MAX,
      }),
    ])
    report(await measureBusy(setting, { service, all, seconds }))
    await checkLedgers(service, setting.busy)
  })
}

const createRows = (setting: Setting) => (figure: Parameters<typeof createCeilingRow>[0]) =>
  createCeilingRow({ ...figure, name: `${setting.name}: ${figure.name}` })

async function sumOf(urls: readonly string[], count: (url: string) => Promise<number>) {
  const counts = await Promise.all(urls.map(count))
  return counts.reduce((sum, value) => sum + value, 0)
}

async function measureBusy(
  setting: Setting,
  given: { service: Service; all: readonly BusyLedger[]; seconds: number },
): Promise<readonly Row[]> {
  const { urls, busy, connectionsMax } = setting
  const { service, all, seconds } = given
  const row = createRows(setting)
  const { one, together } = await measureAlternately(seconds, {
    one: (part: number) => measureRate(service, all.slice(0, 1), part),
    together: (part: number) => measureRate(service, all.slice(0, busy), part),
  })
  return [
    createComparison({
      name: `${setting.name}: ${busy} busy ledgers together, ${CALLERS_PER_LEDGER} callers each`,
      unit: 'commands/s',
      value: together.perSecond,
      p99Ms: together.p99Ms ?? 0,
      baseline: `one busy ledger, ${CALLERS_PER_LEDGER} callers`,
      baselineValue: one.perSecond,
      baselineP99Ms: one.p99Ms ?? 0,
      bar: 1,
    }),
    row({
      name: `connections with ${busy} busy ledgers`,
      unit: 'connections',
      value: await sumOf(urls, countConnections),
      ceiling: connectionsMax,
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
  { database, ledgers }: Setting,
  work: (started: { service: Service; readyMs: number }) => Promise<T>,
): Promise<T> {
  const began = performance.now()
  const service = await startService(database, { LEDGERS: String(ledgers) })
  const readyMs = performance.now() - began
  try {
    return await work({ service, readyMs })
  } finally {
    await service.stop()
  }
}

/** Records a few events in each ledger, so that each ledger has a log, a head and a checkpoint. */
async function fillLedgers(service: Service, count: number): Promise<readonly BusyLedger[]> {
  const filled: BusyLedger[] = []
  const left = Array.from({ length: count }, (_, index) => index + 1).values()
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

/** Compares the logs of ten busy ledgers. */
async function checkLedgers(service: Service, busy: number): Promise<void> {
  for (let ledger = 1; ledger <= busy; ledger += Math.ceil(busy / 10)) {
    const { problems } = await openClient(service, ledger).ask('check', {})
    if (problems.length > 0) throw new Error(`ledger ${ledger}: ${problems.join('; ')}`)
  }
}
