import type { Coverage, Reserve } from '@cairn/gateway-contracts'

import { type Minor, toMinor } from '../../shared/money/money.ts'

type CoverageLine = { name: string; minor: Minor }
type OwnBalances = Pick<
  Reserve,
  'reserve' | 'fees' | 'income' | 'marketing' | 'adjustments' | 'opening'
>

/** Lists the parts of the cash in the ledger. The parts add up to the cash. */
export function listCoverageLines(coverage: Coverage): readonly CoverageLine[] {
  const { liabilities, committed } = coverage
  return [
    { name: 'Owed to investors', minor: toMinor(liabilities) },
    { name: 'Promised profit, not yet credited', minor: toMinor(committed) },
    ...listOwnLines(coverage),
  ]
}

/**
 * Lists the balances of the operator's own accounts. Fees and kept principal are never below zero.
 */
function listOwnLines(balances: OwnBalances): readonly CoverageLine[] {
  const { reserve, fees, income, marketing, adjustments, opening = 0 } = balances
  return [
    { name: 'Free reserve', minor: toMinor(reserve) },
    { name: 'Fees earned', minor: toMinor(fees) },
    { name: 'Principal not returned by plans', minor: toMinor(income) },
    { name: 'Bonuses and fundings, not yet covered', minor: toMinor(marketing) },
    { name: 'Corrections, not yet covered', minor: toMinor(adjustments) },
    // The balance of this account is zero, unless some files of an import of opening balances are
    // missing.
    ...(opening === 0
      ? []
      : [{ name: 'Opening balances, import not complete', minor: toMinor(opening) }]),
  ]
}

/** Adds up the operator's own money after costs. It is below zero if the costs are not covered. */
export function sumOwnMoney(balances: OwnBalances): Minor {
  return listOwnLines(balances).reduce((total, { minor }) => total + minor, 0n)
}

type CoverageParts = { owed: Minor; promised: Minor; own: Minor; cash: Minor }

/** Groups the lines into three parts: cash = owed + promised + own. */
export function groupCoverage(coverage: Coverage): CoverageParts {
  return {
    owed: toMinor(coverage.liabilities),
    promised: toMinor(coverage.committed),
    own: sumOwnMoney(coverage),
    cash: toMinor(coverage.cash),
  }
}
