import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Command,
  createId,
  createLedgerClient,
  type LedgerClient,
} from '@cairn/ledger-contracts'
import { openKeys, verifyReceipt } from '@cairn/ledger-contracts/proof'
import { type Database, migrateDatabase, startDatabase } from './database.ts'
import { ROOT, readEnvironment } from './environment.ts'
import { findFreePort } from './free-port.ts'
import { createLedgerEnv } from './parts.ts'
import { readSecrets } from './secrets.ts'

const POLL_MS = 100
const STARTING_MS_MAX = 240_000
const ignoreLine = () => {}

/** The database and the ledger of an installation, without the other parts. */
export interface TestLedger {
  readonly client: LedgerClient
  readonly database: Database
  stop(): Promise<void>
}

/** Starts the database and the ledger. If the ledger ends, throws the text that it has printed. */
export async function startTestLedger(
  variables: Readonly<Record<string, string>>,
): Promise<TestLedger> {
  const environment = readEnvironment(variables)
  const secrets = await readSecrets(environment.dataDir)
  const database = await startDatabase({ environment, secrets, log: ignoreLine })
  try {
    await migrateDatabase(database, secrets, ignoreLine)
    const port = await findFreePort()
    const child = spawn(process.execPath, [join(ROOT, 'ledger-service', 'src', 'serve.ts')], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...variables, ...createLedgerEnv({ environment, secrets, database, port }) },
    })
    const url = `http://127.0.0.1:${port}`
    await waitUntilReady(child, url)
    return {
      database,
      client: createLedgerClient({ url, token: secrets.ledgerToken, ledger: 1 }),
      stop: async () => {
        child.kill('SIGTERM')
        if (child.exitCode === null) await once(child, 'exit')
        await database.stop()
      },
    }
  } catch (error) {
    await database.stop()
    throw error
  }
}

async function waitUntilReady(child: ChildProcess, url: string): Promise<void> {
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
    })
  }
  const deadline = performance.now() + STARTING_MS_MAX
  while (performance.now() < deadline) {
    const isReady = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    if (child.exitCode !== null) throw new Error(printed)
    await sleep(POLL_MS)
  }
  throw new Error('the ledger did not start')
}

/** Funds a new investor. Returns the number of the event. */
export async function fundInvestor(client: LedgerClient): Promise<bigint> {
  const investorId = createId(Date.now())
  const rest = { actor: 'system:test', key: null, requestId: null, effectiveAt: null }
  const gift = { wallet: 'balance', category: null, reason: null, amountMinor: 12_500n } as const
  const commands: Command[] = [
    { type: 'ActivateInvestor', data: { investorId, referrerId: null }, ...rest },
    {
      type: 'FundWallet',
      data: { transactionId: createId(Date.now()), investorId, ...gift },
      ...rest,
    },
  ]
  const answer = (await client.submitMany(commands, 'interactive')).at(-1)
  if (answer?.outcome !== 'recorded') throw new Error(JSON.stringify(answer))
  return answer.event.seq
}

export async function readReceipt(client: LedgerClient, seq: bigint) {
  const { receipt, verifierKeys } = await client.ask('receipt', { seq })
  return { receipt, verified: await verifyReceipt(receipt, openKeys(verifierKeys)) }
}
