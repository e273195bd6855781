import { createHash } from 'node:crypto'
import { Wallet } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import { extractText } from '../../../testing/pdf-text.ts'
import { LINES_MAX, type MonthActivity } from './month-activity.ts'
import { writeStatement } from './statement.ts'

const AT = '2026-11-25T10:30:00.000Z'

/** Returns a movement for each type. */
function listLines(types: readonly string[]) {
  return types.map((type, place) => ({
    seq: 1_000_000n + BigInt(place),
    type,
    amountMinor: 100n,
    balanceAfterMinor: 100n * BigInt(place + 1),
    recordedAt: AT,
    effectiveAt: AT,
  }))
}

function writeTestStatement(book: MonthActivity): Promise<Buffer> {
  return writeStatement({
    siteName: 'Cairn',
    currency: 'USD',
    timezone: 'UTC',
    siteUrl: 'https://cairn.test',
    reader: { name: 'Iris Example', email: 'iris@cairn.example', accountId: 'A1' },
    month: '2026-11',
    book,
    signature: { size: 9n, note: 'trial-balance 2026-11' },
    verifierKeys: [],
    riskWarning: 'Capital at risk',
    madeAtMs: Date.parse(AT),
  })
}

/** Returns the text of a statement with one movement of each type, and these fees. */
async function readStatement(
  types: readonly string[],
  { feesMinor = 0n, hasOlderLines = false } = {},
): Promise<string> {
  const closingMinor = 100n * BigInt(types.length)
  const booked = { name: 'Referral Earnings', openingMinor: 0n, closingMinor, hasOlderLines }
  const accounts = [{ ...booked, lines: listLines(types) }]
  return extractText(await writeTestStatement({ accounts, references: new Map(), feesMinor }))
}

test('a statement describes a referral bonus and an opening balance', async () => {
  const words = await readStatement(['ReferralBonusPaid', 'BalanceImported'])
  expect(words).toContain('Referral bonus')
  expect(words).toContain('Opening balance')
})

test('a month in which more fees were returned than taken has a negative sum of fees', async () => {
  expect(await readStatement(['DepositReversed'], { feesMinor: -500n })).toContain('-5.00')
})

test('a statement says that it lists only the newest movements', async () => {
  const types = ['WithdrawalRequested', 'WithdrawalCancelled']
  expect(await readStatement(types)).not.toContain('newest')
  expect(await readStatement(types, { hasOlderLines: true })).toContain('2 newest movements')
})

test('the longest statement is smaller than the largest stored document', async () => {
  const lines = listLines(Array.from({ length: LINES_MAX }, () => 'WithdrawalRequested')).map(
    (line, place) => ({
      ...line,
      // Digits that do not repeat, so that the compression finds as little as in a real statement.
      seq: 1_000_000_000n + BigInt(place) * 7_919n,
      amountMinor: 1_000_000n + BigInt(place) * 104_729n,
      balanceAfterMinor: 1_000_000_000n + BigInt(place) * 999_983n,
    }),
  )
  const references = new Map(
    lines.map(({ seq }) => [
      seq,
      createHash('sha256').update(String(seq)).digest('hex').slice(0, 10),
    ]),
  )
  const booked = { openingMinor: 0n, closingMinor: 0n, lines, hasOlderLines: true }
  const names = [...Wallet.options, ...Wallet.options, 'Invested']
  const accounts = names.map((name) => ({ ...booked, name }))
  const bytes = await writeTestStatement({ accounts, references, feesMinor: 0n })
  expect(bytes.length).toBeLessThan(8_388_608 / 2)
})
