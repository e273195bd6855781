import { checkBooks, fundInvestors } from './books.ts'
import { runLoad } from './load.ts'
import { openPgbench, type Pgbench } from './pgbench.ts'
import { against, type Bench, failed, type Row } from './row.ts'
import type { BenchServer } from './server.ts'
import { startService } from './service.ts'

const INVESTORS = 10_000
const CONNECTIONS = 64
const BULK = 100
const BULK_CONNECTIONS = 16

/** Taken in turns: the host gives more or less from one minute to the next. */
const TURNS = 3

export const httpBench: Bench = {
  title: 'http',
  run: async (server, { seconds }) => {
    const yardstick = await server
      .createDatabase()
      .then(({ url }) => openPgbench(url))
      .catch((error: Error) => error)
    const { single, bulk, baseline } = await serviceRates(server, { yardstick, seconds })
    const name = 'one command a request through HTTP, 64 connections'
    const unit = 'commands/s'
    const rows: Row[] = [
      yardstick instanceof Error
        ? failed({ name, unit, bar: 1.5, problem: yardstick.message })
        : against({
            ...{ name, unit, value: single, baselineValue: baseline, bar: 1.5 },
            baseline: 'pgbench TPC-B-like, -c 20 -j 2 -M prepared, scale 20',
          }),
      against({
        name: 'bulk of 100 through HTTP, 16 connections',
        ...{ unit, value: bulk, baselineValue: single, bar: 1.5 },
        baseline: 'one command a request',
      }),
    ]
    return rows
  },
}

async function serviceRates(
  server: BenchServer,
  { yardstick, seconds }: { yardstick: Pgbench | Error; seconds: number },
): Promise<{ single: number; bulk: number; baseline: number }> {
  const { ledgerUrl } = await server.createDatabase()
  const service = await startService(ledgerUrl)
  try {
    const { port, token } = service
    const investors = await fundInvestors(service.send, INVESTORS)
    const load = { port, token, investors, requestsPerSecond: null }
    const ones = {
      ...{ ...load, connections: CONNECTIONS },
      ...{ commandsPerRequest: 1, lane: 'interactive' as const },
    }
    const hundreds = {
      ...{ ...load, connections: BULK_CONNECTIONS },
      ...{ commandsPerRequest: BULK, lane: 'bulk' as const },
    }
    // For its first seconds a process that has just started compiles while it works.
    await runLoad({ ...ones, seconds })
    const sums = { single: 0, bulk: 0, baseline: 0 }
    for (let turn = 0; turn < TURNS; turn += 1) {
      const part = seconds / 2
      if (!(yardstick instanceof Error)) sums.baseline += await yardstick.rate(part)
      sums.single += (await runLoad({ ...ones, seconds: part })).commandsPerSecond
      sums.bulk += (await runLoad({ ...hundreds, seconds: part })).commandsPerSecond
    }
    const { single, bulk, baseline } = sums
    return { single: single / TURNS, bulk: bulk / TURNS, baseline: baseline / TURNS }
  } finally {
    await service.stop()
    await checkBooks(ledgerUrl)
  }
}
