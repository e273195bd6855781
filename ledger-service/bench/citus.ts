import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createId, createLedgerClient } from '@cairn/ledger-contracts'
import { migrate } from '@cairn/migrations'
import {
  type CitusDatabase,
  createCitusDatabase,
  findShard,
  isWithoutCitus,
} from '../test/support/citus.ts'
import { requireRecordedAnswers, runWithPool } from './books.ts'
import { runInChild } from './child.ts'
import { createActivation, createFunding } from './commands.ts'
import { createPlainFetch } from './plain-fetch.ts'
import { type Bench, createComparison, measureAlternately, type Rate } from './row.ts'
import type { BenchDatabase } from './server.ts'
import { type Service, startService } from './service.ts'

const LEDGERS = [1, 2, 3, 4]
const INVESTORS_PER_LEDGER = 1_000
const COMMANDS_AT_ONCE = 50
const CALLERS = 32
const ONE_LEDGER_BAR = 0.8

export interface CitusJob {
  port: number
  token: string
  busy: readonly BusyLedger[]
  callers: number
  commandsAtOnce: number
  seconds: number
}

interface BusyLedger {
  ledger: number
  investors: readonly string[]
}

interface BenchSide {
  measureRate(ledgers: number, seconds: number): Promise<Rate>
  close(): Promise<void>
}

/**
 * Compares a cluster (TEST_CITUS_URL) with one server of the same version (BENCH_PLAIN_URL). The
 * shards of the ledgers are on one worker, or alternately on two.
 */
export const citusBench: Bench = {
  title: 'citus',
  run: async (_server, { seconds, report }) => {
    const plainUrl = process.env.BENCH_PLAIN_URL
    if (isWithoutCitus || plainUrl === undefined) {
      process.stdout.write('skipped: TEST_CITUS_URL and BENCH_PLAIN_URL are not set\n')
      return
    }
    const folder = await mkdtemp(join(tmpdir(), 'cairn-bench-citus-'))
    const plain = await openPlainSide(plainUrl, folder)
    const one = await openCitusSide(folder, { workers: 1 })
    const two = await openCitusSide(folder, { workers: 2 })
    for (const ledgers of [1, 2, 4]) {
      const rates = await measureAlternately(seconds, {
        plain: (part) => plain.measureRate(ledgers, part),
        one: (part) => one.measureRate(ledgers, part),
        two: (part) => two.measureRate(ledgers, part),
      })
      for (const [name, rate] of [
        ['one worker', rates.one],
        ['two workers', rates.two],
      ] as const) {
        report([
          createComparison({
            name: `${ledgers} busy ledgers on a cluster with ${name}`,
            unit: 'commands/s',
            value: rate.perSecond,
            p99Ms: rate.p99Ms ?? 0,
            baseline: 'the same on one server of the same version',
            baselineValue: rates.plain.perSecond,
            baselineP99Ms: rates.plain.p99Ms ?? 0,
            bar: ONE_LEDGER_BAR,
          }),
        ])
      }
    }
    for (const side of [plain, one, two]) await side.close()
    await rm(folder, { recursive: true })
  },
}

async function openPlainSide(serverUrl: string, folder: string): Promise<BenchSide> {
  const name = `bench_${createId(Date.now())}`
  await runWithPool(serverUrl, (pool) => pool.query(`create database ${name}`))
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  const password = 'cairn-test'
  await migrate({ databaseUrl: url.href, only: 'ledger', passwords: { cairn_ledger: password } })
  const own = new URL(url)
  own.username = 'cairn_ledger'
  own.password = password
  return openSide({ name, url: url.href, ledgerUrl: own.href, folder }, () =>
    runWithPool(serverUrl, (pool) => pool.query(`drop database ${name} with (force)`)),
  )
}

async function openCitusSide(folder: string, { workers }: { workers: number }): Promise<BenchSide> {
  const database = await createCitusDatabase()
  for (const ledger of LEDGERS) await putShards(database, { ledger, worker: ledger % workers })
  const ledgerUrl = database.urlFor('cairn_ledger')
  const name = new URL(database.url).pathname.slice(1)
  return openSide({ name, url: database.url, ledgerUrl, folder }, database.drop)
}

/** Gives a ledger shards of its own, and puts them on a worker. */
async function putShards(
  database: CitusDatabase,
  { ledger, worker }: { ledger: number; worker: number },
): Promise<void> {
  await database.run(
    `select isolate_tenant_to_new_shard('ledger.head', ${ledger}, 'cascade', 'block_writes')`,
  )
  const found = await findShard(database, { table: 'head', ledger })
  const target = database.nodes[worker + 1]
  if (target === undefined) throw new Error('the cluster has too few workers')
  if (target.host === found.host && target.port === found.port) return
  await database.run(`select citus_move_shard_placement($1, $2, $3, $4, $5, 'block_writes')`, [
    found.shard,
    found.host,
    found.port,
    target.host,
    target.port,
  ])
}

async function openSide(
  given: Omit<BenchDatabase, 'keyFolder'> & { folder: string },
  drop: () => Promise<unknown>,
): Promise<BenchSide> {
  const keyFolder = join(given.folder, given.name)
  await mkdir(keyFolder)
  const service = await startService({ ...given, keyFolder }, { LEDGERS: String(LEDGERS.length) })
  const all: BusyLedger[] = []
  for (const ledger of LEDGERS) all.push(await fillLedger(service, ledger))
  const { port, token } = service
  return {
    measureRate: (ledgers, seconds) => {
      const busy = all.slice(0, ledgers)
      const load = { callers: CALLERS, commandsAtOnce: COMMANDS_AT_ONCE, seconds }
      return runInChild('citus-process.ts', { port, token, busy, ...load } satisfies CitusJob)
    },
    close: async () => {
      for (const ledger of LEDGERS) {
        const { problems } = await openClient(service, ledger).ask('check', {})
        if (problems.length > 0) throw new Error(`ledger ${ledger}: ${problems.join('; ')}`)
      }
      await service.stop()
      await drop()
    },
  }
}

async function fillLedger(service: Service, ledger: number): Promise<BusyLedger> {
  const client = openClient(service, ledger)
  const investors = Array.from({ length: INVESTORS_PER_LEDGER }, () => createId(Date.now()))
  for (let first = 0; first < investors.length; first += COMMANDS_AT_ONCE) {
    const some = investors.slice(first, first + COMMANDS_AT_ONCE)
    const commands = some.flatMap((id) => [createActivation(id), createFunding(id, 1_000n)])
    requireRecordedAnswers(await client.submitMany(commands, 'bulk'))
  }
  return { ledger, investors }
}

function openClient({ port, token }: Service, ledger: number) {
  const url = `http://127.0.0.1:${port}`
  return createLedgerClient({ url, token, ledger, fetch: createPlainFetch() })
}
