import { expect, test } from 'vitest'
import type { ClaimFacts } from './facts.ts'
import { CLAIM_RULES } from './rules.ts'

function describePaymentAccounts(paymentAccountsMinor: bigint): string | undefined {
  const facts = {
    book: {
      committedMinor: 10_000n,
      shortfallMinor: 0n,
      openingMinor: 0n,
      percentage: 100,
      liabilitiesMinor: 500_000n,
      cashMinor: 520_000n,
    },
    paymentAccountsMinor,
    attestation: null,
    isDemo: true,
  }
  // The cast is safe because this rule reads only these facts in a demo.
  const { evidence } = CLAIM_RULES['profit-guarantee'].judge(facts as unknown as ClaimFacts)
  return evidence.find(({ label }) => label === 'Payment accounts')?.value
}

test('the claim of the reserve says how much the payment accounts lack', () => {
  expect(describePaymentAccounts(450_000n)).toBe(
    'In the ledger, they hold $4,500.00 of $5,200.00 cash. These $4,500.00 are $500.00 less than is owed to investors. The remaining $700.00 of the cash is booked to the treasury, which has no payment account',
  )
  expect(describePaymentAccounts(500_000n)).toBe(
    'In the ledger, they hold $5,000.00 of $5,200.00 cash. This covers what is owed to investors',
  )
  expect(describePaymentAccounts(600_000n)).toBe(
    'In the ledger, they hold $6,000.00. This covers what is owed to investors',
  )
})
