import { copyFile, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createId } from '@cairn/ledger-contracts'
import {
  openCheckpoint,
  openKeys,
  parseVerifierKey,
  verifyReceipt,
} from '@cairn/ledger-contracts/proof'
import { createTestDatabase, type TestDatabase } from '@cairn/local/test-database'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCommandConfig } from '../../test/support/command-config.ts'
import { toCommand } from '../../test/support/linked.ts'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { createTestKey, createTestSigning } from '../../test/support/test-signing.ts'
import { hashRequest } from '../log/envelope.ts'
import { findNewestNote } from '../proofs/checkpoint-file.ts'
import { exportLog } from '../proofs/export.ts'
import { readKeyFile, writeKeyFile } from '../proofs/key-file.ts'
import { openLogKey } from '../proofs/log-keys.ts'
import { readLostEvents } from '../proofs/lost-events.ts'
import { planHandover } from '../proofs/plan-handover.ts'
import { runSelfCheck } from '../proofs/self-check.ts'
import { openSigningKey } from '../proofs/signing-key.ts'
import { verifyLog } from '../proofs/verify.ts'
import { connectClient, createPool } from './database/pool.ts'
import { replaceSigningKeys } from './replace-keys.ts'

const ORIGIN = 'cairn.test/ledger'
const DAY_MS = 86_400_000
const NO_LIMIT = 10n ** 15n
/** `node:readline` would split this text in two. */
const REASON = 'the disk\u2028was lost'
const log = pino({ level: 'silent' })

type Signing = TestLedger['signing']

const databases: TestDatabase[] = []
afterAll(() => Promise.all(databases.map((database) => database.drop())))

async function createDatabase(copyOf?: TestDatabase): Promise<TestDatabase> {
  const database = await createTestDatabase(copyOf === undefined ? {} : { copyOf })
  databases.push(database)
  return database
}

const getPemFile = ({ checkpointDir }: Signing) => join(checkpointDir, 'key.pem')

function replaceKeys(
  database: TestDatabase,
  { checkpointDir }: Signing,
  reason: string | null = null,
) {
  const config = createCommandConfig(database, checkpointDir)
  return replaceSigningKeys(config, { reason, log })
}

/** Permits a new key with the approvals of two administrators. */
function permitRotation(ledger: TestLedger, verifierKey: string) {
  const actor = 'system:change-requests'
  const command = toCommand('PermitKeyRotation', { verifierKey }, { actor })
  const approvedAt = new Date(ledger.clock.now()).toISOString()
  const approvals = ['ada', 'bob'].map((name) => ({ approver: `admin:${name}`, approvedAt }))
  const commandSha256 = hashRequest(command).requestHash.toString('hex')
  const approval = { commandSha256, approvals }
  return ledger.submit('PermitKeyRotation', { verifierKey }, { actor, approval })
}

/** Starts the ledger with the key in the file, as the service does. */
async function open(database: TestDatabase, signing: Signing): Promise<TestLedger> {
  const pool = createPool({ url: database.urlFor('cairn_ledger'), max: 2, name: 'check' })
  const pem = await readFile(getPemFile(signing), 'utf8')
  const key = await openLogKey(pool, { ledger: 1, pems: [pem], origin: ORIGIN })
  const problems = await runSelfCheck({
    pool,
    ledger: 1,
    key,
    checkpointDir: signing.checkpointDir,
  })
  await pool.end()
  if (problems.length > 0) throw new Error(problems.join())
  return startTestLedger({ database, signing: { ...signing, key } })
}

async function fund(ledger: TestLedger): Promise<bigint> {
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const gift = { wallet: 'balance', category: null, reason: REASON, amountMinor: 500n } as const
  const data = { transactionId: createId(ledger.clock.now()), investorId, ...gift }
  return (await requireRecorded(ledger.submit('FundWallet', data))).event.seq
}

const readReceipt = async (ledger: TestLedger, seq: bigint) =>
  (await ledger.ask('receipt', { seq })).receipt

const check = async (ledger: TestLedger) => (await ledger.ask('check', {})).problems

/** Continues from the state of the last verification, as the nightly verification does. */
const verify = ({ pool }: TestLedger, { checkpointDir }: Signing) =>
  verifyLog(pool, { ledger: 1, since: NO_LIMIT, stateFolder: checkpointDir })

describe('rotate-signing-key', () => {
  let signing: Signing
  let database: TestDatabase
  let oldReceipt: string
  beforeAll(async () => {
    signing = await createTestSigning()
    database = await createDatabase()
    const ledger = await open(database, signing)
    oldReceipt = await readReceipt(ledger, await fund(ledger))
    await ledger.close()
    expect(await replaceKeys(database, signing)).toHaveLength(1)
  })

  test('continues the log with the new key; old and new receipts verify from the first key', async () => {
    const ledger = await open(database, signing)
    const receipt = await readReceipt(ledger, await fund(ledger))
    const { verifierKeys } = await ledger.ask('checkpoint', {})
    expect(verifierKeys[0]).toBe(signing.key.verifierKey)
    expect(openKeys(verifierKeys)).toHaveLength(2)
    for (const file of [oldReceipt, receipt]) {
      expect(await verifyReceipt(file, openKeys(verifierKeys))).toMatchObject({ lostIn: null })
    }
    await expect(verifyReceipt(receipt, openKeys([signing.key.verifierKey]))).rejects.toThrow(
      'no key you trust',
    )
    expect(await check(ledger)).toEqual([])
    await ledger.close()
  })

  test('the service does not start with another key', async () => {
    const current = await readFile(getPemFile(signing))
    const other = await createTestSigning()
    await copyFile(getPemFile(other), getPemFile(signing))
    await expect(open(database, signing)).rejects.toThrow('the signing key of this process is')
    await writeFile(getPemFile(signing), current)
    const ledger = await open(database, signing)
    await ledger.close()
  })

  test('needs the lock of the ledger, so no service runs meanwhile', async () => {
    const client = await connectClient({ url: database.url, name: 'active', pipeline: false })
    await client.query('select pg_advisory_lock($1, 1)', [0x63616972])
    await expect(replaceKeys(database, signing)).rejects.toThrow('stop all ledger services first')
    await client.end()
  })

  test('verify reports a checkpoint that the old key signed after its end', async () => {
    const copy = await createDatabase(database)
    const ledger = await open(copy, signing)
    const { size, root } = await ledger.ask('head', { size: null })
    const note = signing.key.signCheckpoint({ size, root: Buffer.from(root, 'hex') })
    const { verifierKeys } = await ledger.ask('checkpoint', {})
    await expect(openCheckpoint(note, openKeys(verifierKeys))).rejects.toThrow('was replaced after')
    await ledger.runSql('alter table ledger.checkpoint disable trigger all')
    await ledger.runSql('update ledger.checkpoint set note = $1 where size = $2', [note, size])
    await ledger.runSql(
      'alter table ledger.checkpoint enable always trigger checkpoint_append_only',
    )
    expect((await check(ledger)).join()).toContain('was replaced after')
    // Sabotaged twin: a verifier that knows only the old key, and not the handover to the new key,
    // accepts the checkpoint.
    const unaware = openKeys(verifierKeys.slice(0, 1))
    expect((await openCheckpoint(note, unaware)).size).toBe(size)
    await ledger.close()
  })

  test('verify reports a key that no event names', async () => {
    const copy = await createDatabase(database)
    const ledger = await open(copy, signing)
    const { key } = await createTestSigning()
    await ledger.runSql('insert into ledger.log_key values (1, $1, now())', [key.verifierKey])
    expect((await check(ledger)).join()).toContain('no event names it as a successor')
    await ledger.close()
  })

  test('verify reports a handover of other events', async () => {
    const copy = await createDatabase(database)
    const ledger = await open(copy, signing)
    const pem = await readFile(getPemFile(signing), 'utf8')
    const key = await openLogKey(ledger.pool, { ledger: 1, pems: [pem], origin: ORIGIN })
    const { size } = await ledger.ask('head', { size: null })
    const newKey = parseVerifierKey(createTestKey().verifierKey)
    const line = key.signHandover({ size, root: Buffer.alloc(32, 7), lost: null, newKey })
    await requireRecorded(ledger.submit('ReplaceSigningKey', { handovers: [line], reason: null }))
    expect((await check(ledger)).join()).toContain(
      'states a wrong size or root for the change of the signing key',
    )
    await ledger.close()
  })
})

describe('while dual control is required', () => {
  test('two administrators must permit a new key before any file is written', async () => {
    const signing = await createTestSigning()
    const database = await createDatabase()
    const early = await startTestLedger({ database, signing, now: () => Date.now() - 2 * DAY_MS })
    for (const approverId of ['ada', 'bob']) {
      await requireRecorded(early.submit('AddApprover', { approverId }, { actor: 'system:server' }))
    }
    await early.close()
    await expect(replaceKeys(database, signing)).rejects.toThrow(
      'Two administrators must first permit a new signing key',
    )
    const lines = await readKeyFile({ folder: signing.checkpointDir, ledger: 1 })
    expect(lines).toEqual([signing.key.verifierKey])
    const ledger = await open(database, signing)
    const { verifierKey } = await ledger.ask('signingKey', {})
    expect(verifierKey).toBe(signing.key.verifierKey)
    await requireRecorded(permitRotation(ledger, signing.key.verifierKey))
    const { permission } = await ledger.ask('signingKey', {})
    expect(permission).not.toBeNull()
    await ledger.close()
    expect(await replaceKeys(database, signing)).toHaveLength(1)
    const after = await open(database, signing)
    expect(await after.ask('signingKey', {})).toMatchObject({ permission: null })
    expect(await check(after)).toEqual([])
    await after.close()
    // The permission names the old key, so it does not permit a replacement of the new key.
    await expect(replaceKeys(database, signing)).rejects.toThrow('first permit a new signing key')
  })
})

describe('an interrupted rotation', () => {
  test('stops the start of the service, and is continued', async () => {
    const signing = await createTestSigning()
    const database = await createDatabase()
    const ledger = await open(database, signing)
    await readReceipt(ledger, await fund(ledger))
    await ledger.close()
    const pool = createPool({ url: database.urlFor('cairn_ledger'), max: 2, name: 'plan' })
    const pem = await readFile(getPemFile(signing), 'utf8')
    await copyFile(getPemFile(await createTestSigning()), `${getPemFile(signing)}.next`)
    const nextPem = await readFile(`${getPemFile(signing)}.next`, 'utf8')
    const { checkpointDir } = signing
    const options = { pool, ledger: 1, checkpointDir, pem, nextPem, nowMs: Date.now() }
    const plan = await planHandover(options)
    await writeKeyFile({ folder: checkpointDir, ledger: 1 }, plan?.lines ?? [])
    await pool.end()
    await expect(open(database, signing)).rejects.toThrow('was interrupted, repeat it')
    const [replaced] = await replaceKeys(database, signing)
    expect(replaced?.lines).toEqual(plan?.lines)
    expect(await readFile(getPemFile(signing), 'utf8')).toBe(nextPem)
    const after = await open(database, signing)
    expect(await check(after)).toEqual([])
    await after.close()
    // The log is already signed with the key of the first run, so a second run creates a further
    // key.
    expect(await replaceKeys(database, signing)).toHaveLength(1)
  })
})

describe('declare-fork', () => {
  let signing: Signing
  let backup: TestDatabase
  let kept: string
  let lost: { seq: bigint; receipt: string; exported: string }
  beforeAll(async () => {
    signing = await createTestSigning()
    const database = await createDatabase()
    const before = await open(database, signing)
    kept = await readReceipt(before, await fund(before))
    await before.close()
    backup = await createDatabase(database)
    const after = await open(database, signing)
    const seq = await fund(after)
    const receipt = await readReceipt(after, seq)
    const exported = join(signing.checkpointDir, 'log.jsonl')
    const { checkpoint, verifierKeys } = await after.ask('checkpoint', {})
    if (checkpoint === null) throw new Error('nothing is signed')
    await exportLog(after.pool, { ledger: 1, file: exported, checkpoint, verifierKeys })
    expect((await verify(after, signing)).problems).toEqual([])
    await after.close()
    lost = { seq, receipt, exported }
  })

  test('by default, the ledger does not start on an older state, and its key cannot be replaced', async () => {
    const restored = await createDatabase(backup)
    await expect(open(restored, signing)).rejects.toThrow('npm run ledger -- declare-fork')
    await expect(replaceKeys(restored, signing)).rejects.toThrow('lacks events that were signed')
  })

  test('a rewritten log cannot be declared as a fork', async () => {
    const restored = await createDatabase(backup)
    const { checkpointFile } = signing
    const before = await readFile(checkpointFile, 'utf8')
    const forged = signing.key.signCheckpoint({ size: 2n, root: Buffer.alloc(32, 7) })
    const place = { folder: signing.checkpointDir, ledger: 1 }
    const newest = await findNewestNote(place)
    await writeFile(checkpointFile, `${before}${forged}\n${newest?.note}\n`)
    await expect(replaceKeys(restored, signing, REASON)).rejects.toThrow('was rewritten')
    await writeFile(checkpointFile, before)
  })

  test('continues under another name; receipts of lost events verify and say so', async () => {
    const restored = await createDatabase(backup)
    const [forked] = await replaceKeys(restored, signing, REASON)
    const ledger = await open(restored, signing)
    const receipt = await readReceipt(ledger, await fund(ledger))
    const { verifierKeys } = await ledger.ask('checkpoint', {})
    const keys = openKeys(verifierKeys)
    expect((await verifyReceipt(kept, keys)).lostIn).toBeNull()
    expect((await verifyReceipt(lost.receipt, keys)).lostIn).toMatchObject({
      size: forked?.handover.size,
    })
    const { checkpoint, lostIn } = await verifyReceipt(receipt, keys)
    expect([checkpoint.origin, lostIn]).toEqual([`${ORIGIN}/1.2`, null])
    expect(await check(ledger)).toEqual([])
    for (let funded = 0; funded < 2; funded += 1) await fund(ledger)
    // The state that was verified before the loss contains lost events.
    expect(await verify(ledger, signing)).toMatchObject({ from: 0n, problems: [] })
    const { size } = await ledger.ask('head', { size: null })
    expect(await verify(ledger, signing)).toMatchObject({ from: size, problems: [] })
    await expect(replaceKeys(restored, signing, REASON)).rejects.toThrow('nothing was lost')
    await ledger.close()

    const from = forked?.handover.size ?? 0n
    const files = [lost.exported, lost.receipt]
    const receiptFile = join(signing.checkpointDir, 'lost.tlog-proof')
    await writeFile(receiptFile, lost.receipt)
    const lines = verifierKeys
    const events = await readLostEvents([files[0] ?? '', receiptFile], { lines, from })
    expect(events.map(({ seq }) => seq)).toEqual([from, lost.seq])
    expect(events.at(-1)).toMatchObject({
      ledger: 1,
      type: 'WalletFunded',
      recordedAt: expect.stringMatching(/^\d{4}-/),
      postings: [{ amountMinor: expect.any(BigInt) }, {}],
    })
  })

  test('sabotaged twin: with the old key, the restored log would sign a second history', async () => {
    const restored = await createDatabase(backup)
    const ledger = await startTestLedger({ database: restored, signing: await createTestSigning() })
    await fund(ledger)
    const { size, root } = await ledger.ask('head', { size: null })
    const note = signing.key.signCheckpoint({ size, root: Buffer.from(root, 'hex') })
    const keys = [parseVerifierKey(signing.key.verifierKey)]
    // The checkpoint and the receipt both verify, although they contradict each other.
    const checkpoint = await openCheckpoint(note, keys)
    const earlier = await verifyReceipt(lost.receipt, keys)
    expect(checkpoint.size).toBe(earlier.checkpoint.size)
    expect(checkpoint.root).not.toEqual(earlier.checkpoint.root)
    await ledger.close()
  })

  test('after a second restore of the same state, the lost fork is in the new one', async () => {
    const restored = await createDatabase(backup)
    // The list of published keys contains the key of the first fork, so the start finds that the
    // database is older.
    await expect(open(restored, signing)).rejects.toThrow('an older state was restored')
    await replaceKeys(restored, signing, REASON)
    const ledger = await open(restored, signing)
    expect((await ledger.ask('checkpoint', {})).checkpoint?.note).toContain(`${ORIGIN}/1.3\n`)
    expect(await check(ledger)).toEqual([])
    await ledger.close()
    expect(await readKeyFile({ folder: signing.checkpointDir, ledger: 1 })).toHaveLength(3)
  })

  test('needs the newest key, which may be newer than the restored state', async () => {
    const restored = await createDatabase(backup)
    const file = getPemFile(signing)
    await rename(file, `${file}.kept`)
    await copyFile(getPemFile(await createTestSigning()), file)
    await expect(replaceKeys(restored, signing, REASON)).rejects.toThrow(
      'copy that key from a backup of the secrets first',
    )
    await rename(`${file}.kept`, file)
    const pem = await readFile(file, 'utf8')
    const key = openSigningKey({ pem, origin: `${ORIGIN}/1.3` })
    expect((await readKeyFile({ folder: signing.checkpointDir, ledger: 1 })).at(-1)).toContain(
      key.verifierKey,
    )
  })
})
