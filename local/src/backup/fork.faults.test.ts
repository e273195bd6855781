import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  type Command,
  createId,
  createLedgerClient,
  type LedgerClient,
} from '@cairn/ledger-contracts'
import { openKeys, verifyReceipt } from '@cairn/ledger-contracts/proof'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Database, migrateDatabase, startDatabase } from '../database.ts'
import { type Environment, ROOT, readEnvironment } from '../environment.ts'
import { findFreePort } from '../free-port.ts'
import { createLedgerEnv } from '../parts.ts'
import { readSecrets } from '../secrets.ts'
import { verifyLedger } from './check-restored.ts'
import { restorePlatform } from './restore-platform.ts'
import { copySecrets } from './secrets-copies.ts'
import { takeBackup } from './take-backup.ts'

// The database and the ledger of a platform, without the other parts.

const ignoreLine = () => {}
const POLL_MS = 100
const STARTING_MS_MAX = 240_000
const run = promisify(execFile)

interface Ledger {
  readonly client: LedgerClient
  readonly database: Database
  stop(): Promise<void>
}

let folder: string
let environment: Environment
let variables: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cairn-fork-'))
  variables = {
    DATA_DIR: join(folder, 'data'),
    BACKUP_DIR: join(folder, 'backups'),
    DEMO: '0',
    NODE_ENV: 'test',
    LOG_LEVEL: 'fatal',
    PATH: process.env.PATH ?? '',
  }
  environment = readEnvironment(variables)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Starts the database and the ledger. If the ledger ends, throws the text that it has printed. */
async function start(): Promise<Ledger> {
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
async function fund(client: LedgerClient): Promise<bigint> {
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

async function readReceipt(client: LedgerClient, seq: bigint) {
  const { receipt, verifierKeys } = await client.ask('receipt', { seq })
  return { receipt, verified: await verifyReceipt(receipt, openKeys(verifierKeys)) }
}

/** Runs `npm run ledger -- ...` on the stopped platform. */
async function runLedger(...args: string[]): Promise<string> {
  const program = join(ROOT, 'local', 'src', 'ledger.ts')
  const { stdout } = await run(process.execPath, [program, ...args], { env: variables })
  return stdout
}

async function readServerTime({ adminUrl }: Database): Promise<Date> {
  const client = new pg.Client({ connectionString: adminUrl })
  await client.connect()
  const { rows } = await client.query('select clock_timestamp() as now')
  await client.end()
  return rows[0].now
}

test('a restore to an earlier time continues after declare-fork, and lists the lost events', async () => {
  const before = await start()
  const kept = await fund(before.client)
  const keptReceipt = (await readReceipt(before.client, kept)).receipt
  const { dataDir } = environment
  const backupDir = environment.backupDir ?? ''
  await takeBackup({ ownerUrl: before.database.adminUrl, backupDir })
  await copySecrets({ dataDir, backupDir, now: new Date() })
  const until = await readServerTime(before.database)
  await sleep(POLL_MS)
  const lostSeq = await fund(before.client)
  const { receipt: lostReceipt } = await readReceipt(before.client, lostSeq)
  await before.stop()

  const printed: string[] = []
  await restorePlatform({
    environment,
    backupDir,
    into: dataDir,
    until,
    named: null,
    isSettingAside: true,
    print: (line) => printed.push(line),
  })
  expect(printed).toContain('ledger 1: 2 signed events are missing')
  expect(printed.at(-1)).toBe("npm run ledger -- declare-fork --reason 'WHY'")
  await expect(start()).rejects.toThrow('an older state was restored')

  const file = join(folder, 'lost.tlog-proof')
  await writeFile(file, lostReceipt)
  const text = await runLedger('declare-fork', '--reason', 'a disk was lost', '--from', file)
  expect(text).toContain('4 events were signed and the log has 2')
  expect(text).toContain('lost: the events 2 to 3')
  expect(text).toContain('WalletFunded')

  const after = await start()
  const { verified } = await readReceipt(after.client, await fund(after.client))
  expect(verified).toMatchObject({
    lostIn: null,
    checkpoint: { origin: 'cairn.localhost/ledger/1.2' },
  })
  const { verifierKeys } = await after.client.ask('checkpoint', {})
  const keys = openKeys(verifierKeys)
  expect((await verifyReceipt(keptReceipt, keys)).lostIn).toBeNull()
  expect((await verifyReceipt(lostReceipt, keys)).lostIn).toMatchObject({ size: 2n })
  const { events } = await after.client.events({ after: 1n, waitSeconds: 0, limit: 10 })
  const types = ['LogForked', 'InvestorActivated', 'WalletFunded']
  expect(events.map(({ type }) => type)).toEqual(types)
  expect(await verifyLedger(after.database.urlFor('cairn_auditor'), 1)).toBe(true)
  await after.stop()

  await expect(runLedger('declare-fork', '--reason', 'again')).rejects.toThrow('nothing was lost')
  const rotated = await runLedger('rotate-signing-key')
  expect(rotated).toContain('the log is signed with the new key')
  const last = await start()
  await readReceipt(last.client, await fund(last.client))
  expect(await verifyLedger(last.database.urlFor('cairn_auditor'), 1)).toBe(true)
  await last.stop()
  const lines = await readFile(join(dataDir, 'checkpoints', 'ledger-1-keys.txt'), 'utf8')
  expect(lines.trim().split('\n')).toHaveLength(3)
})
