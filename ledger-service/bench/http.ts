import { checkBooks, fundInvestors } from './books.ts'
import { runCallers } from './callers.ts'
import { type LoadJob, runLoad } from './load.ts'
import { openPgbench, type Pgbench } from './pgbench.ts'
import {
  type Bench,
  createComparison,
  createFailedRow,
  measureAlternately,
  type Rate,
} from './row.ts'
import type { BenchServer } from './server.ts'
import { startService } from './service.ts'

const INVESTORS = 10_000
const CONNECTIONS = 64
const BULK = 100
const BULK_CONNECTIONS = 16

export const httpBench: Bench = {
  title: 'http',
  run: async (server, { seconds, report }) => {
    const yardstick = await server
      .createDatabase()
      .then(({ url }) => openPgbench(url))
      .catch((error: Error) => error)
    const { single, joined, bulk, baseline } = await measureService(server, { yardstick, seconds })
    const clients = yardstick instanceof Error ? 0 : yardstick.clients
    const pgbench = `pgbench TPC-B-like, scale 100, -c ${clients} (the best of 8, 20 and 64) -j 2 -M prepared`
    const name = 'one command a request through HTTP, 64 connections'
    const unit = 'commands/s'
    report([
      yardstick instanceof Error
        ? createFailedRow({ name, unit, bar: 1.5, problem: yardstick.message })
        : createComparison({
            name,
            unit,
            value: single.perSecond,
            p99Ms: single.p99Ms ?? 0,
            shares: single.shares,
            baselineValue: baseline.perSecond,
            bar: 1.5,
            baseline: pgbench,
          }),
      createComparison({
        name: 'bulk of 100 through HTTP, 16 connections',
        unit,
        value: bulk.perSecond,
        p99Ms: bulk.p99Ms ?? 0,
        shares: bulk.shares,
        baselineValue: single.perSecond,
        bar: 1.5,
        baseline: 'one command a request',
      }),
    ])
    if (yardstick instanceof Error) return
    report([
      createComparison({
        name: `the client of the product, ${CONNECTIONS} callers that wait for each answer`,
        unit,
        value: joined.perSecond,
        p99Ms: joined.p99Ms ?? 0,
        shares: joined.shares,
        baselineValue: baseline.perSecond,
        bar: 1,
        baseline: pgbench,
      }),
      createComparison({
        name: 'bulk of 100 through HTTP, 16 connections',
        unit,
        value: bulk.perSecond,
        baselineValue: baseline.perSecond,
        bar: 2.2,
        baseline: pgbench,
      }),
    ])
  },
}

async function measureService(
  server: BenchServer,
  { yardstick, seconds }: { yardstick: Pgbench | Error; seconds: number },
): Promise<{ single: Rate; joined: Rate; bulk: Rate; baseline: Rate }> {
  const database = await server.createDatabase()
  const service = await startService(database)
  try {
    const { port, token } = service
    const investors = await fundInvestors(service.send, INVESTORS)
    const load = { port, token, investors, requestsPerSecond: null }
    const callers = { port, token, investors, callers: CONNECTIONS }
    const ones = {
      ...load,
      connections: CONNECTIONS,
      commandsPerRequest: 1,
      lane: 'interactive' as const,
    }
    const hundreds = {
      ...load,
      connections: BULK_CONNECTIONS,
      commandsPerRequest: BULK,
      lane: 'bulk' as const,
    }
    // The first runs are not measured, because a new process is slow until its code is compiled.
    for (const warming of [ones, hundreds]) await runLoad({ ...warming, seconds })
    await runCallers({ ...callers, seconds })
    const measured = {
      baseline: async (part: number) => ({
        perSecond: yardstick instanceof Error ? 0 : await yardstick.rate(part),
      }),
      single: (part: number) => measureRate({ ...ones, seconds: part }),
      joined: (part: number) => runCallers({ ...callers, seconds: part }),
      bulk: (part: number) => measureRate({ ...hundreds, seconds: part }),
    }
    return await measureAlternately(seconds, measured, {
      own: 'bench',
      children: 'callers',
      postmaster: server.pid,
      service: service.pid,
    })
  } finally {
    await service.stop()
    await checkBooks(database.ledgerUrl)
  }
}

async function measureRate(job: LoadJob): Promise<Rate> {
  const { commandsPerSecond, p99Ms } = await runLoad(job)
  return { perSecond: commandsPerSecond, p99Ms }
}
