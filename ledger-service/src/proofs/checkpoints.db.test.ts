import { appendFile, readFile, truncate, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { createId } from '@cairn/ledger-contracts'
import { openCheckpoint, openKeys, verifyReceipt } from '@cairn/ledger-contracts/proof'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tamper } from '../../test/support/tamper.ts'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { createPool } from '../service/database/pool.ts'
import { createCheckpoints } from './checkpoints.ts'
import { runSelfCheck } from './self-check.ts'

const MIDDAY = Date.UTC(2026, 10, 25, 12)

/** Its clock advances only in a test, so that it signs no head while a test compares the file. */
let ledger: TestLedger
beforeAll(async () => {
  ledger = await startTestLedger({ now: () => MIDDAY })
})
afterAll(() => ledger.close())

async function fund(amountMinor: bigint): Promise<bigint> {
  const investorId = await createFundedInvestor(ledger, { amountMinor: 0n })
  const gift = { wallet: 'balance', category: null, reason: null } as const
  const transactionId = createId(ledger.clock.now())
  const data = { transactionId, investorId, amountMinor, ...gift }
  return (await requireRecorded(ledger.submit('FundWallet', data))).event.seq
}

async function runCheck(role = 'cairn_ledger'): Promise<readonly string[]> {
  const pool = createPool({ url: ledger.database.urlFor(role), max: 2, name: 'self-check' })
  try {
    return await runSelfCheck({ pool, ledger: 1, ...ledger.signing })
  } finally {
    await pool.end()
  }
}

describe('a receipt', () => {
  test('verifies with the verifier key alone, and stays the same file', async () => {
    const seq = await fund(12_500n)
    const { receipt, verifierKeys } = await ledger.ask('receipt', { seq })
    const keys = openKeys(verifierKeys)
    const { event, checkpoint } = await verifyReceipt(receipt, keys)
    expect(event).toMatchObject({ type: 'WalletFunded', data: { amountMinor: '12500' } })
    expect(checkpoint.origin).toBe('cairn.test/ledger/1')
    await fund(1n)
    expect((await ledger.ask('receipt', { seq })).receipt).toBe(receipt)
  })

  test('changed by one cent is refused with the reason', async () => {
    const { receipt, verifierKeys } = await ledger.ask('receipt', { seq: await fund(12_500n) })
    const forged = receipt.replace(/^extra (.*)$/m, (_line, encoded: string) => {
      const text = Buffer.from(encoded, 'base64').toString('utf8').replace('"12500"', '"12501"')
      return `extra ${Buffer.from(text).toString('base64')}`
    })
    expect(forged).not.toBe(receipt)
    await expect(verifyReceipt(forged, openKeys(verifierKeys))).rejects.toThrow(
      'its content or its proof was changed',
    )
  })

  test('of an event that does not exist is refused', async () => {
    await expect(ledger.ask('receipt', { seq: 999_999n })).rejects.toThrow('no event 999999')
  })
})

test('checkpoints are stored automatically in the database and outside it', async () => {
  await fund(100n)
  ledger.clock.set(ledger.clock.now() + 60_000)
  await expect
    .poll(async () => (await ledger.ask('checkpoint', {})).checkpoint?.size)
    .toBe((await ledger.ask('head', { size: null })).size)
  const { checkpoint, verifierKeys } = await ledger.ask('checkpoint', {})
  const outside = await readFile(ledger.signing.checkpointFile, 'utf8')
  expect(outside).toContain(checkpoint?.note)
  const { size, root } = await openCheckpoint(checkpoint?.note ?? '', openKeys(verifierKeys))
  const head = await ledger.ask('head', { size })
  expect(Buffer.from(root).toString('hex')).toBe(head.root)
})

test('few events are signed after a minute, many after a second, and no checkpoint is made without events', async () => {
  const quiet = await startTestLedger({ now: () => MIDDAY })
  const readSize = async () => (await quiet.ask('checkpoint', {})).checkpoint?.size
  const readHead = async () => (await quiet.ask('head', { size: null })).size
  const activate = () => createFundedInvestor(quiet, { amountMinor: 0n })
  await activate()
  await expect.poll(readSize).toBe(1n)

  await activate()
  // The clock of the ledger does not advance, so this wait may have any length.
  await delay(2_500)
  expect(await readSize()).toBe(1n)
  quiet.clock.set(MIDDAY + 60_000)
  await expect.poll(readSize).toBe(2n)

  await Promise.all(Array.from({ length: 100 }, activate))
  quiet.clock.set(MIDDAY + 61_000)
  await expect.poll(readSize).toBe(await readHead())
  quiet.clock.set(MIDDAY + 3_600_000)
  await quiet.close()
  expect(await countNotes(quiet)).toBe(3)
})

async function countNotes({ signing }: TestLedger): Promise<number> {
  const notes = await readFile(signing.checkpointFile, 'utf8')
  return notes.match(/^cairn\.test/gm)?.length ?? 0
}

describe('the signature of a head', () => {
  /** Signs the head, as at the stop of an instance. Returns the new notes in the file. */
  async function signWith(more: Partial<Parameters<typeof createCheckpoints>[0]> = {}) {
    const url = ledger.database.urlFor('cairn_ledger')
    const pool = createPool({ url, max: 2, name: 'signer' })
    const before = await readFile(ledger.signing.checkpointFile, 'utf8')
    const { key, checkpointDir } = ledger.signing
    const own = { ledger: 1, pool, key, checkpointDir, clock: ledger.clock, ...more }
    await createCheckpoints({ ...own, log: pino({ level: 'silent' }) }).stop()
    await pool.end()
    const after = await readFile(ledger.signing.checkpointFile, 'utf8')
    return { added: after.slice(before.length), before }
  }

  test('is refused if the stored hashes do not have its root', async () => {
    const seq = await fund(100n)
    let leaf: Buffer | undefined
    const changeLeaf = `update ledger.event set leaf_hash = sha256(leaf_hash) where seq = ${seq}`
    await tamper(ledger, async () => {
      const rows = await ledger.runSql<{ leaf: Buffer }>(
        `${changeLeaf} returning old.leaf_hash as leaf`,
      )
      leaf = rows[0]?.leaf
    })
    expect((await signWith()).added).toBe('')
    await tamper(ledger, () =>
      ledger.runSql('update ledger.event set leaf_hash = $1 where seq = $2', [leaf, seq]),
    )
    expect((await signWith()).added).not.toBe('')
  })

  test('is refused for an invented root; the sabotaged twin signs it', async () => {
    await fund(100n)
    const [head] = await ledger.runSql<{ size: bigint; root: Buffer }>(
      'select size, root from ledger.head',
    )
    const invented = Buffer.alloc(32, 7)
    const setRoot = (root: Buffer | undefined) =>
      tamper(ledger, () => ledger.runSql('update ledger.head set root = $1', [root]))
    await setRoot(invented)
    expect((await signWith()).added).toBe('')
    const { added, before } = await signWith({ requireContinued: async () => {} })
    expect(added).toContain(`\n${head?.size}\n${invented.toString('base64')}\n`)
    await setRoot(head?.root)
    await writeFile(ledger.signing.checkpointFile, before)
    await tamper(ledger, () =>
      ledger.runSql('delete from ledger.checkpoint where root = $1', [invented]),
    )
    expect((await signWith()).added).not.toBe('')
  })

  test('is refused if the log no longer has the events of the newest checkpoint', async () => {
    await fund(100n)
    const { key, checkpointFile } = ledger.signing
    const before = await readFile(checkpointFile, 'utf8')
    const { size } = await ledger.ask('head', { size: null })
    const other = { size: size - 1n, root: Buffer.alloc(32, 7) }
    await writeFile(checkpointFile, `${before}${key.signCheckpoint(other)}\n`)
    expect((await signWith()).added).toBe('')
    await writeFile(checkpointFile, before)
  })
})

describe('the start of the service', () => {
  test('succeeds if there is no problem', async () => {
    expect(await runCheck()).toEqual([])
  })

  test('is refused with a role that may change the log', async () => {
    await ledger.runSql('grant update on ledger.event to cairn_ledger')
    expect(await runCheck()).toEqual([
      'this role may UPDATE ledger.event: connect as cairn_ledger, or revoke that right',
    ])
    await ledger.runSql('revoke update on ledger.event from cairn_ledger')
  })

  test('is refused if a trigger is disabled', async () => {
    await ledger.runSql('alter table ledger.posting disable trigger posting_zero_sum')
    expect((await runCheck()).join()).toContain(
      'the trigger posting_zero_sum is not enabled always',
    )
    await ledger.runSql('alter table ledger.posting enable always trigger posting_zero_sum')
  })

  test('is refused if commits would not wait for the disk', async () => {
    // The setting is changed only for this database, because other test files use the same server.
    const alterRole = (change: string) =>
      ledger.runSql(`do $$ begin execute format(
        'alter role cairn_ledger in database %I ${change}', current_database()); end $$`)
    await alterRole('set synchronous_commit = off')
    expect((await runCheck()).join()).toContain('synchronous_commit is off')
    await alterRole('reset synchronous_commit')
  })

  test('is refused if the log is shorter than the signed checkpoint outside the database', async () => {
    const { size, root } = await ledger.ask('head', { size: null })
    const head = { size: size + 10n, root: Buffer.from(root, 'hex') }
    const before = await readFile(ledger.signing.checkpointFile, 'utf8')
    const { checkpointFile, key } = ledger.signing
    await writeFile(checkpointFile, `${before}${key.signCheckpoint(head)}\n`)
    expect((await runCheck()).join()).toContain('an older state was restored')
    await writeFile(checkpointFile, before)
  })

  test('is refused if the log is shorter, even with a very large checkpoint file', async () => {
    const { checkpointFile, key } = ledger.signing
    const before = await readFile(checkpointFile, 'utf8')
    const { size } = await ledger.ask('head', { size: null })
    // The file is made longer than a string can be, like a file after a month with one note per
    // second. The file is sparse, so it needs little space.
    await truncate(checkpointFile, 700_000_000)
    const head = { size: size + 10n, root: Buffer.alloc(32, 7) }
    await appendFile(checkpointFile, `\n${key.signCheckpoint(head)}\n`)
    expect((await runCheck()).join()).toContain('an older state was restored')
    await writeFile(checkpointFile, before)
  })

  test('is refused if the newest checkpoint in the file has no valid signature', async () => {
    const { checkpointFile, key } = ledger.signing
    const before = await readFile(checkpointFile, 'utf8')
    const forged = key
      .signCheckpoint({ size: 2n, root: Buffer.alloc(32, 7) })
      .replace('\n2\n', '\n3\n')
    await writeFile(checkpointFile, `${before}${forged}\n`)
    expect((await runCheck()).join()).toContain('cannot be verified')
    await writeFile(checkpointFile, before)
  })

  test('is refused if the log was rewritten since', async () => {
    const { checkpointFile, key } = ledger.signing
    const before = await readFile(checkpointFile, 'utf8')
    const head = { size: 2n, root: Buffer.alloc(32, 7) }
    await writeFile(checkpointFile, `${before}${key.signCheckpoint(head)}\n`)
    expect((await runCheck()).join()).toContain('differ from the signed events')
    await writeFile(checkpointFile, `${before}not a checkpoint`)
    expect(await runCheck()).toEqual([])
    await writeFile(checkpointFile, before)
  })
})
