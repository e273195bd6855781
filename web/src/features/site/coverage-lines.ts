import type { Coverage } from '@cairn/gateway-contracts'

import { type Minor, toMinor } from '../../shared/money/money.ts'

type CoverageLine = { name: string; minor: Minor }

/** Splits the ledger's cash into amounts that add up to it. */
export function listCoverageLines(coverage: Coverage): readonly CoverageLine[] {
  const { liabilities, committed, reserve, fees, income, marketing, adjustments } = coverage
  return [
    { name: 'Owed to investors', minor: toMinor(liabilities) },
    { name: 'Promised profit, not yet credited', minor: toMinor(committed) },
    { name: 'Free reserve', minor: toMinor(reserve) },
    { name: 'Fees earned', minor: toMinor(fees) },
    { name: 'Principal not returned by plans', minor: toMinor(income) },
    { name: 'Bonuses and fundings, not yet covered', minor: toMinor(marketing) },
    { name: 'Corrections, not yet covered', minor: toMinor(adjustments) },
  ]
}
