import { account } from '@cairn/ledger-contracts'
import { type Refusal, refuse } from '../../log/model.ts'
import type { View } from '../../log/view.ts'
import { balanceOf } from '../accounts/account.ts'
import { rulesInForce } from '../rules/money-rules.ts'

/**
 * In `strict` mode, refuses an amount that the reserve does not cover. In `disclose` mode the reserve
 * may be negative; its negative part is the shortfall.
 */
export function strictShortfall(
  view: View,
  wantedMinor: bigint,
): { refusal: Refusal } | { refusal?: never } {
  if (rulesInForce(view).coverageMode !== 'strict') return {}
  if (balanceOf(view, account.operator('reserve')) >= wantedMinor) return {}
  return refuse('fullySubscribed')
}
