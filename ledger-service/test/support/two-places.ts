import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import {
  type Answer,
  createId,
  createLedgerClient,
  type LedgerClient,
} from '@cairn/ledger-contracts'
import pg from 'pg'
import { type CrashablePostgres, startCrashablePostgres } from './crashable-postgres.ts'
import { createTestDirectory, type TestDirectory, type TestPlace } from './directory.ts'
import { fundReserve } from './reserve-load.ts'
import { type ServiceProcess, startServiceProcess, TEST_TOKEN } from './service-process.ts'

const CLI = join(import.meta.dirname, '../../src/cli.ts')

/** A ledger service as a process, with the ledgers in two servers. */
export interface TwoPlaces {
  readonly east: CrashablePostgres
  readonly west: CrashablePostgres
  readonly directory: TestDirectory
  readonly service: ServiceProcess
  client(ledger: number): LedgerClient
  /** Funds the reserve. Returns null if the service did not answer. */
  fund(ledger: number, transactionId?: string): Promise<Answer | null>
  /** Runs `npm run ledger` with this directory. */
  runCli(
    args: readonly string[],
    environment?: Readonly<Record<string, string>>,
  ): Promise<{ code: number | null; signal: NodeJS.Signals | null; out: string }>
  drop(): Promise<void>
}

export async function startTwoPlaces(
  ledgers: { east: TestPlace['ledgers']; west: TestPlace['ledgers'] },
  environment: Readonly<Record<string, string>> = {},
): Promise<TwoPlaces> {
  const [east, west] = await Promise.all([
    startCrashablePostgres({ only: 'ledger' }),
    startCrashablePostgres({ only: 'ledger' }),
  ])
  const directory = await createTestDirectory()
  await directory.write(describePlaces({ east, west }, ledgers))
  const service = await startServiceProcess({
    environment: { LEDGER_DIRECTORY: directory.file, ...environment },
  })
  const client = (ledger: number) =>
    createLedgerClient({ url: `http://127.0.0.1:${service.port}`, token: TEST_TOKEN, ledger })
  return {
    east,
    west,
    directory,
    service,
    client,
    fund: (ledger, transactionId = createId(Date.now())) =>
      fundReserve(client(ledger), transactionId).catch(() => null),
    runCli: async (args, added = {}) => {
      const env = { PATH: process.env.PATH, LEDGER_DIRECTORY: directory.file, ...added }
      const stdio = ['ignore', 'pipe', 'pipe'] as const
      const child = spawn(process.execPath, [CLI, ...args], { env, stdio: [...stdio] })
      let out = ''
      for (const stream of [child.stdout, child.stderr]) {
        stream?.on('data', (chunk: Buffer) => {
          out += chunk.toString()
        })
      }
      await once(child, 'close')
      return { code: child.exitCode, signal: child.signalCode, out }
    },
    drop: async () => {
      await service.end('SIGTERM')
      await Promise.all([east.drop(), west.drop(), directory.drop()])
    },
  }
}

export function describePlaces(
  { east, west }: Pick<TwoPlaces, 'east' | 'west'>,
  ledgers: { east: TestPlace['ledgers']; west: TestPlace['ledgers'] },
): readonly TestPlace[] {
  return [
    { name: 'east', url: east.database.url, ledgers: ledgers.east },
    { name: 'west', url: west.database.url, ledgers: ledgers.west },
  ]
}

/** Runs SQL as the superuser. */
export async function queryServer<Row extends pg.QueryResultRow>(
  { database }: CrashablePostgres,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    return (await client.query<Row>(text, [...values])).rows
  } finally {
    await client.end()
  }
}
