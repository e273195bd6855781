import { account } from '@cairn/ledger-contracts'
import { type Refusal, refuse } from '../../log/model.ts'
import type { View } from '../../log/view.ts'
import { balanceOf } from '../accounts/account.ts'
import { rulesInForce } from '../rules/money-rules.ts'

/**
 * In `strict` mode the reserve never goes below zero: what it lacks cannot be promised. In
 * `disclose` mode it may, and exactly that is the profit nobody has paid in.
 */
export function strictShortfall(
  view: View,
  wantedMinor: bigint,
): { refusal: Refusal } | { refusal?: never } {
  if (rulesInForce(view).coverageMode !== 'strict') return {}
  if (balanceOf(view, account.operator('reserve')) >= wantedMinor) return {}
  return refuse('FULLY_SUBSCRIBED', 'This plan is fully subscribed')
}
