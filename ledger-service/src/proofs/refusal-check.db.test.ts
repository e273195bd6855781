import { createId } from '@cairn/ledger-contracts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tamper } from '../../test/support/tamper.ts'
import {
  createFundedInvestor,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { getRequestHash, hashIdempotencyKey } from '../log/envelope.ts'
import { decodeRefusal, EMPTY_CHAIN, extendChain } from '../log/refusal-chain.ts'
import { verifyLog } from './verify.ts'

let ledger: TestLedger
let investorId: string
/** Four stored refusals: three before the newest event and one after it. */
beforeAll(async () => {
  ledger = await startTestLedger()
  investorId = await createFundedInvestor(ledger, { amountMinor: 5_000n })
  await withdraw(6_000n)
  await withdraw(7_000n)
  await fund()
  await withdraw(8_000n)
  await fund()
  await withdraw(9_000n)
})
afterAll(() => ledger?.close())

/** Opens the same database with a new writer, whose memory is empty. */
async function reopen(): Promise<void> {
  const { database, close } = ledger
  const next = await startTestLedger({ database })
  ledger = {
    ...next,
    close: async () => {
      await next.close()
      await close()
    },
  }
}

async function withdraw(amountMinor: bigint): Promise<void> {
  const transactionId = createId(ledger.clock.now())
  const bank = { bankAccountId: 'bank', bankAccountSha256: 'b'.repeat(64) }
  const request = { transactionId, investorId, source: 'balance', amountMinor, ...bank } as const
  const { outcome } = await ledger.submit('RequestWithdrawal', request, { key: transactionId })
  expect(outcome).toBe('refused')
}

async function fund(): Promise<void> {
  const gift = { wallet: 'balance', amountMinor: 100n, category: null, reason: null } as const
  const transactionId = createId(ledger.clock.now())
  const { outcome } = await ledger.submit('FundWallet', { ...gift, transactionId, investorId })
  expect(outcome).toBe('recorded')
}

const check = async () => (await ledger.ask('check', {})).problems.join('\n')

/**
 * Makes the change as a superuser, returns the problems that the verification reports, and restores
 * the tables.
 */
async function changeAndVerify(
  change: () => Promise<unknown>,
  verify: () => Promise<string> = check,
): Promise<string> {
  await ledger.runSql('create table kept_refusal as table ledger.refusal')
  await ledger.runSql('create table kept_head as table ledger.head')
  await tamper(ledger, change)
  const problems = await verify()
  await tamper(ledger, async () => {
    await ledger.runSql('delete from ledger.refusal')
    await ledger.runSql('insert into ledger.refusal table kept_refusal')
    await ledger.runSql(
      `update ledger.head set (refusal_count, refusal_hash) =
         (select refusal_count, refusal_hash from kept_head)`,
    )
  })
  await ledger.runSql('drop table kept_refusal, kept_head')
  return problems
}

/** Sets the count and the hash in the head to the values of the stored rows, as a writer would. */
async function rebuildChain(): Promise<void> {
  const rows = await ledger.runSql<{ bytes: Buffer }>(
    'select bytes from ledger.refusal order by place',
  )
  const { count, hash } = rows.reduce((chain, row) => extendChain(chain, row.bytes), EMPTY_CHAIN)
  await ledger.runSql('update ledger.head set refusal_count = $1, refusal_hash = $2', [count, hash])
}

/**
 * Inserts a copy of a refusal with a new key and a new place. The bytes of the copy agree with its
 * columns.
 */
async function insertForgedRefusal(changed: { amountMinor: bigint; place: number }): Promise<void> {
  const [row] = await ledger.runSql<{ bytes: Buffer }>(
    'select bytes from ledger.refusal order by place desc limit 1',
  )
  if (row === undefined) throw new Error('there is no refusal')
  const stored = JSON.parse(row.bytes.toString('utf8'))
  stored.place = String(changed.place)
  stored.command.key = 'planted'
  stored.command.data.amountMinor = String(changed.amountMinor)
  const bytes = Buffer.from(JSON.stringify(stored))
  const { command, refusal } = decodeRefusal(bytes)
  await ledger.runSql(
    `insert into ledger.refusal (ledger_id, place, idempotency_hash, request_hash, code, message,
       details, recorded_at, bytes) values (1, $1, $2, $3, $4, $5, $6, to_timestamp($7 / 1000.0), $8)`,
    [
      changed.place,
      hashIdempotencyKey(command),
      getRequestHash(command),
      refusal.code,
      refusal.message,
      JSON.stringify(refusal.details),
      stored.recordedAtMs,
      bytes,
    ],
  )
}

test('untouched refusals have no problems, before and after a restart', async () => {
  expect(await check()).toBe('')
  await ledger.parts.stop()
  await reopen()
  await fund()
  await withdraw(10_000n)
  await fund()
  await withdraw(11_000n)
  expect(await check()).toBe('')
})

describe('a change of one column of a refusal by a superuser is detected', () => {
  test.each([
    ['place', '90 + place'],
    ['idempotency_hash', `sha256('x')`],
    ['request_hash', `sha256('x')`],
    ['code', `'NOT_FOUND'`],
    ['message', `'another message'`],
    ['details', `'{"x":"y"}'`],
    ['recorded_at', `recorded_at + interval '1 second'`],
    ['bytes', `bytes || ' '::bytea`],
  ])('%s', async (column, value) => {
    const change = `update ledger.refusal set ${column} = ${value} where place = 1`
    expect(await changeAndVerify(() => ledger.runSql(change))).toMatch(/refusal|event/)
  })
})

describe('a new chain of refusals by a superuser is detected', () => {
  test.each([
    [
      'after the deletion of a refusal before an event',
      'delete from ledger.refusal where place = 1',
    ],
    [
      'after an edit of a refusal before an event',
      `update ledger.refusal set bytes = bytes || ' '::bytea where place = 1`,
    ],
  ])('%s', async (_what, change) => {
    const problems = await changeAndVerify(async () => {
      await ledger.runSql(change)
      await rebuildChain()
    })
    expect(problems).toContain('does not contain the hash of the refusals before it')
  })

  test('after the insertion of a refusal that the rules would not give', async () => {
    const problems = await changeAndVerify(async () => {
      const [head] = await ledger.runSql<{ count: string }>(
        'select refusal_count as count from ledger.head',
      )
      await insertForgedRefusal({ amountMinor: 100n, place: Number(head?.count) })
      await rebuildChain()
    })
    expect(problems).toMatch(/refusal \d+ gives a different answer when it is decided again/)
  })
})

test('an edit of the head by a superuser is detected', async () => {
  for (const change of ['refusal_count = refusal_count + 1', `refusal_hash = sha256('x')`]) {
    const problems = await changeAndVerify(() => ledger.runSql(`update ledger.head set ${change}`))
    expect(problems).toContain('that the head covers')
  }
})

test('sabotaged twin: without deciding again, a planted refusal is not found', async () => {
  const insertOneForgedRefusal = () => insertForgedRefusal({ amountMinor: 100n, place: 99 })
  const compareBytes = async () =>
    (await verifyLog(ledger.pool, { ledger: 1, isReplaying: false })).problems.join('\n')
  expect(await changeAndVerify(insertOneForgedRefusal, compareBytes)).toBe('')
})

describe('a projection that a superuser changed during a refusal and restored', () => {
  test('is detected by the refusal that was stored in between', async () => {
    const blockVerification = (status: string) =>
      ledger.runSql(
        `update ledger.investor set standing = '${status}' where investor_id = '${investorId}'`,
      )
    await ledger.parts.stop()
    await blockVerification('deactivated')
    await reopen()
    await withdraw(100n)
    await ledger.parts.stop()
    await blockVerification('active')
    expect((await verifyLog(ledger.pool, { ledger: 1 })).problems.join('\n')).toMatch(
      /refusal \d+ gives a different answer when it is decided again/,
    )
  })
})
