import { account, type Id } from '@cairn/ledger-contracts'
import type { Need, View } from '../../log/view.ts'
import { listBalanceNeeds } from '../accounts/account.ts'
import { createInvestorNeed } from '../investors/investor.ts'
import { listBonusReturnNeeds } from '../referrals/bonus-return.ts'
import { createInvestmentNeed, investmentTable } from './investment.ts'

/**
 * Returns the needs of a command that ends an investment before its term: the row of the investment
 * until this row is loaded, and after that the rows that the end can change.
 */
export function listEndingNeeds(investmentId: Id, view: View): readonly Need[] {
  const found = view.peek(investmentTable, investmentId)
  if (found === undefined || found === null) return [createInvestmentNeed(investmentId)]
  const { investorId } = found
  return [
    createInvestorNeed(investorId),
    ...listBalanceNeeds(
      account.getAvailableCode(investorId, 'balance'),
      account.getAvailableCode(investorId, 'profit'),
      account.getPrincipalCode(investorId),
      account.getOperatorCode('income'),
      account.getOperatorCode('committed'),
      account.getOperatorCode('reserve'),
    ),
    ...listBonusReturnNeeds(view, found),
  ]
}
