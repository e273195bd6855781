import type { Coverage } from '@cairn/gateway-contracts'

import { formatMoney, toMinor } from '../../shared/money/money.ts'
import type { Claim } from '../claims/index.ts'

/**
 * Takes the figures of the reserve and of the payment accounts from `coverage`, because the claims
 * are measured at another time and the page also shows the coverage itself. Without a coverage, the
 * claims have no such figures.
 */
export function insertCoverage(
  claims: readonly Claim[],
  coverage: Coverage | undefined,
): readonly Claim[] {
  return claims.map((claim) => ({
    ...claim,
    evidence: claim.evidence.flatMap((line) => {
      const describe = LIVE[line.label]
      if (describe === undefined) return line
      return coverage === undefined ? [] : { ...line, value: describe(coverage) }
    }),
  }))
}

const LIVE: Readonly<Record<string, (coverage: Coverage) => string>> = {
  Reserve: ({ committed, shortfall, percentage }) => {
    const promised = toMinor(committed)
    const covered = formatMoney(promised - toMinor(shortfall))
    return `${covered} covers ${formatMoney(promised)} promised on active plans (${percentage}%)`
  },
  'Payment accounts': ({ paymentAccounts, cash, liabilities }) =>
    `${formatMoney(toMinor(paymentAccounts ?? cash))}; ${formatMoney(toMinor(liabilities))} is owed to investors`,
}
