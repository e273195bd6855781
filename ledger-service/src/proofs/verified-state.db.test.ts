import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { createId } from '@cairn/ledger-contracts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tamper } from '../../test/support/tamper.ts'
import {
  createFundedInvestor,
  requireRecorded,
  startTestLedger,
  type TestLedger,
} from '../../test/support/test-ledger.ts'
import { getStateFile } from './verified-state.ts'
import { verifyLog } from './verify.ts'

const ANY_SIZE = 10n ** 15n

let ledger: TestLedger
let investorId: string
let file: string
beforeEach(async () => {
  ledger = await startTestLedger()
  investorId = await createFundedInvestor(ledger, { amountMinor: 1_000n })
  file = getStateFile({ folder: ledger.signing.checkpointDir, ledger: 1 })
})
afterEach(() => ledger.close())

function verify(since: bigint) {
  return verifyLog(ledger.pool, { ledger: 1, since, stateFolder: ledger.signing.checkpointDir })
}

async function fund(): Promise<void> {
  const gift = { wallet: 'balance', category: null, reason: null, amountMinor: 500n } as const
  const data = { transactionId: createId(ledger.clock.now()), investorId, ...gift }
  await requireRecorded(ledger.submit('FundWallet', data))
}

/** Submits a withdrawal that is refused. The command has a key, so the refusal is stored. */
async function withdrawTooMuch(): Promise<void> {
  const data = {
    transactionId: createId(ledger.clock.now()),
    investorId,
    source: 'balance',
    amountMinor: 99_000n,
    bankAccountId: 'bank',
    bankAccountSha256: 'a'.repeat(64),
  } as const
  const key = createId(ledger.clock.now())
  const answer = await ledger.submit('RequestWithdrawal', data, { key })
  expect(answer.outcome).toBe('refused')
}

test('a run continues from the state of the last run without a difference', async () => {
  await withdrawTooMuch()
  expect(await verify(0n)).toMatchObject({ from: 0n, events: 2n, problems: [] })
  await withdrawTooMuch()
  await fund()
  await withdrawTooMuch()
  expect(await verify(ANY_SIZE)).toMatchObject({ from: 2n, events: 1n, problems: [] })
  expect(await verify(ANY_SIZE)).toMatchObject({ from: 3n, events: 0n, problems: [] })
  await fund()
  expect(await verify(2n)).toMatchObject({ from: 0n, events: 4n, problems: [] })
})

test('a run finds an old posting and its balance that were changed together', async () => {
  await verify(0n)
  await fund()
  await tamper(ledger, () =>
    ledger.runSql(
      `with posting as (
         update ledger.posting set amount_minor = amount_minor + 70,
           balance_after_minor = balance_after_minor + 70
         where seq < 2 and account like 'investor:%:balance' returning account)
       update ledger.balance set balance_minor = balance_minor + 70
       where account in (select account from posting)`,
    ),
  )
  const { from, problems } = await verify(ANY_SIZE)
  expect(from).toBe(2n)
  expect(problems.join('\n')).toMatch(/its balance is not the sum of its postings/)
})

test('a run finds a changed row that no later event has changed, and a changed later refusal', async () => {
  await verify(0n)
  await withdrawTooMuch()
  await fund()
  await tamper(ledger, () => ledger.runSql(`update ledger.investor set standing = 'denied'`))
  await tamper(ledger, () => ledger.runSql(`update ledger.refusal set message = 'other'`))
  const text = (await verify(ANY_SIZE)).problems.join('\n')
  expect(text).toMatch(/investor .* differs from the log/)
  expect(text).toMatch(/refusal 0/)
})

test('a run with a difference keeps the state before it', async () => {
  await verify(0n)
  const kept = await readFile(file, 'utf8')
  await fund()
  await tamper(ledger, () =>
    ledger.runSql(`update ledger.control_total set amount_minor = amount_minor + 1`),
  )
  expect((await verify(ANY_SIZE)).problems).not.toEqual([])
  expect(await readFile(file, 'utf8')).toBe(kept)
})

test('a difference that a whole run found stays until the log is repaired', async () => {
  await verify(0n)
  await fund()
  await verify(ANY_SIZE)
  const change = (by: string) =>
    tamper(ledger, () =>
      ledger.runSql(
        `update ledger.event set bytes = decode(replace(encode(bytes, 'hex'), ${by}), 'hex')
         where seq = 1`,
      ),
    )
  const [old, fresh] = [`encode('1000', 'hex')`, `encode('9000', 'hex')`]
  await change(`${old}, ${fresh}`)
  // The run does not read the events before the state.
  expect(await verify(ANY_SIZE)).toMatchObject({ from: 3n, problems: [] })
  expect((await verify(0n)).firstBadSeq).toBe(1n)
  expect(await verify(ANY_SIZE)).toMatchObject({ from: 0n, firstBadSeq: 1n })
  await change(`${fresh}, ${old}`)
  expect(await verify(ANY_SIZE)).toMatchObject({ from: 0n, problems: [] })
})

test('a state file that was changed is not used', async () => {
  await verify(0n)
  const kept = await readFile(file, 'utf8')
  await writeFile(file, kept.replace('"1000"', '"1001"'))
  expect(await verify(ANY_SIZE)).toMatchObject({ from: 0n, problems: [] })
})

test('a run that cannot write its state fails, and reports no difference', async () => {
  await symlink('/dev/full', `${file}.${process.pid}.new`)
  await expect(verify(0n)).rejects.toThrow('ENOSPC')
  expect(existsSync(file)).toBe(false)
})

test('a run removes the new files that killed runs left', async () => {
  const [left, recent] = [`${file}.71.new`, `${file}.72.new`]
  for (const path of [left, recent]) await writeFile(path, '')
  const dayAgo = Date.now() / 1_000 - 86_400
  await utimes(left, dayAgo, dayAgo)
  await verify(0n)
  expect([left, recent].map((path) => existsSync(path))).toEqual([false, true])
})

test('sabotaged twin: a state that no verification has written hides a changed row', async () => {
  await verify(0n)
  await fund()
  await tamper(ledger, () => ledger.runSql(`update ledger.investor set standing = 'denied'`))
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n').slice(0, -1)
  const forged = lines
    .map((line) => (line.startsWith('["investor"') ? line.replace('"active"', '"denied"') : line))
    .map((line) => `${line}\n`)
    .join('')
  const sha256 = createHash('sha256').update(forged).digest('hex')
  await writeFile(file, `${forged}${JSON.stringify({ sha256 })}\n`)
  expect(await verify(ANY_SIZE)).toMatchObject({ from: 2n, problems: [] })
  expect((await verify(0n)).problems.join('\n')).toMatch(/investor .* differs from the log/)
})
