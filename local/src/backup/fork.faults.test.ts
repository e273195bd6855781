import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openKeys, verifyReceipt } from '@cairn/ledger-contracts/proof'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../database.ts'
import { type Environment, ROOT, readEnvironment } from '../environment.ts'
import { fundInvestor, readReceipt, startTestLedger } from '../test-ledger.ts'
import { verifyLedger } from './check-restored.ts'
import { restorePlatform } from './restore-platform.ts'
import { copySecrets } from './secrets-copies.ts'
import { takeBackup } from './take-backup.ts'

// The database and the ledger of a platform, without the other parts.

const POLL_MS = 100
const run = promisify(execFile)

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

const start = () => startTestLedger(variables)

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
  const kept = await fundInvestor(before.client)
  const keptReceipt = (await readReceipt(before.client, kept)).receipt
  const { dataDir } = environment
  const backupDir = environment.backupDir ?? ''
  await takeBackup({ ownerUrl: before.database.adminUrl, backupDir })
  await copySecrets({ dataDir, backupDir, now: new Date() })
  const until = await readServerTime(before.database)
  await sleep(POLL_MS)
  const lostSeq = await fundInvestor(before.client)
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
  const { verified } = await readReceipt(after.client, await fundInvestor(after.client))
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
  await readReceipt(last.client, await fundInvestor(last.client))
  expect(await verifyLedger(last.database.urlFor('cairn_auditor'), 1)).toBe(true)
  await last.stop()
  const lines = await readFile(join(dataDir, 'checkpoints', 'ledger-1-keys.txt'), 'utf8')
  expect(lines.trim().split('\n')).toHaveLength(3)
})
