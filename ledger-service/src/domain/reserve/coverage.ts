import { account } from '@cairn/ledger-contracts'
import { type Refusal, refuse } from '../../log/model.ts'
import type { View } from '../../log/view.ts'
import { getBalance } from '../accounts/account.ts'
import { findRulesInForce } from '../rules/money-rules.ts'

/**
 * In `strict` mode, refuses an amount that the reserve does not cover. In `disclose` mode, the
 * balance of the reserve may become negative. The negative balance is shown as the shortfall.
 */
export function refuseShortfall(
  view: View,
  wantedMinor: bigint,
): { refusal: Refusal } | { refusal?: never } {
  if (findRulesInForce(view).coverageMode !== 'strict') return {}
  if (getBalance(view, account.getOperatorCode('reserve')) >= wantedMinor) return {}
  return refuse('fullySubscribed')
}
