import { expect, test } from 'vitest'
import { extractText } from '../../../testing/pdf-text.ts'
import { writeStatement } from './statement.ts'

const AT = '2026-11-25T10:30:00.000Z'

/** Returns the text of a statement with one movement of each type, and these fees. */
async function readStatement(types: readonly string[], feesMinor: bigint): Promise<string> {
  const lines = types.map((type, place) => ({
    seq: BigInt(place),
    type,
    amountMinor: 100n,
    balanceAfterMinor: 100n * BigInt(place + 1),
    recordedAt: AT,
    effectiveAt: AT,
  }))
  const closingMinor = 100n * BigInt(types.length)
  const bytes = await writeStatement({
    siteName: 'Cairn',
    currency: 'USD',
    timezone: 'UTC',
    siteUrl: 'https://cairn.test',
    reader: { name: 'Iris Example', email: 'iris@cairn.example', accountId: 'A1' },
    month: '2026-11',
    book: {
      accounts: [{ name: 'Referral Earnings', openingMinor: 0n, closingMinor, lines }],
      references: new Map(),
      feesMinor,
    },
    signature: { size: 9n, note: 'trial-balance 2026-11' },
    verifierKeys: [],
    riskWarning: 'Capital at risk',
    madeAtMs: Date.parse(AT),
  })
  return extractText(bytes)
}

test('a statement describes a referral bonus and an opening balance', async () => {
  const words = await readStatement(['ReferralBonusPaid', 'BalanceImported'], 0n)
  expect(words).toContain('Referral bonus')
  expect(words).toContain('Opening balance')
})

test('a month in which more fees were returned than taken has a negative sum of fees', async () => {
  expect(await readStatement(['DepositReversed'], -500n)).toContain('-5.00')
})
