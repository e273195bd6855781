import { checkBooks, fundInvestors } from './books.ts'
import { runLoad } from './load.ts'
import { openPgbench, type Pgbench } from './pgbench.ts'
import { type Bench, createComparison, createFailedRow, measureInTurns, type Row } from './row.ts'
import type { BenchServer } from './server.ts'
import { startService } from './service.ts'

const INVESTORS = 10_000
const CONNECTIONS = 64
const BULK = 100
const BULK_CONNECTIONS = 16

export const httpBench: Bench = {
  title: 'http',
  run: async (server, { seconds }) => {
    const yardstick = await server
      .createDatabase()
      .then(({ url }) => openPgbench(url))
      .catch((error: Error) => error)
    const { single, bulk, baseline } = await measureService(server, { yardstick, seconds })
    const name = 'one command a request through HTTP, 64 connections'
    const unit = 'commands/s'
    const rows: Row[] = [
      yardstick instanceof Error
        ? createFailedRow({ name, unit, bar: 1.5, problem: yardstick.message })
        : createComparison({
            name,
            unit,
            value: single,
            baselineValue: baseline,
            bar: 1.5,
            baseline: 'pgbench TPC-B-like, -c 20 -j 2 -M prepared, scale 20',
          }),
      createComparison({
        name: 'bulk of 100 through HTTP, 16 connections',
        unit,
        value: bulk,
        baselineValue: single,
        bar: 1.5,
        baseline: 'one command a request',
      }),
    ]
    return rows
  },
}

async function measureService(
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
    return await measureInTurns(seconds, {
      baseline: async (part) => (yardstick instanceof Error ? 0 : await yardstick.rate(part)),
      single: async (part) => (await runLoad({ ...ones, seconds: part })).commandsPerSecond,
      bulk: async (part) => (await runLoad({ ...hundreds, seconds: part })).commandsPerSecond,
    })
  } finally {
    await service.stop()
    await checkBooks(ledgerUrl)
  }
}
