import type { Coverage } from '@cairn/gateway-contracts'

import { formatMoney, toMinor } from '../../shared/money/money.ts'
import type { Claim } from '../claims/index.ts'

/**
 * Takes the figures of the reserve from `coverage`, because the claims are measured at another time
 * and the page also shows the coverage itself. Without a coverage, the claims have no such figures.
 */
export function insertCoverage(
  claims: readonly Claim[],
  coverage: Coverage | undefined,
): readonly Claim[] {
  return claims.map((claim) => ({
    ...claim,
    evidence: claim.evidence.flatMap((line) => {
      if (line.label !== 'Reserve') return line
      return coverage === undefined ? [] : { ...line, value: describeReserve(coverage) }
    }),
  }))
}

function describeReserve({ committed, shortfall, percentage }: Coverage): string {
  const promised = toMinor(committed)
  const covered = formatMoney(promised - toMinor(shortfall))
  return `${covered} covers ${formatMoney(promised)} promised on active plans (${percentage}%)`
}
