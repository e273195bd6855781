import type { TransactionStep } from '@cairn/gateway-contracts'
import type { EventType, RecordedEvent } from '@cairn/ledger-contracts'
import type { z } from 'zod'

type Step = z.infer<typeof TransactionStep>

/** Exhaustive: a new type of event does not compile without a label. */
const KINDS: Readonly<Record<EventType, Step['kind']>> = {
  DepositRequested: 'requested',
  WithdrawalRequested: 'requested',
  AdjustmentProposed: 'requested',
  ReserveWithdrawalProposed: 'requested',
  SweepProposed: 'requested',
  DepositApprovalRecorded: 'approved-once',
  InvestmentDenialRecorded: 'approved-once',
  WithdrawalApprovalRecorded: 'approved-once',
  DepositReversalRecorded: 'approved-once',
  WithdrawalReversalRecorded: 'approved-once',
  DepositApproved: 'approved',
  WithdrawalApproved: 'approved',
  AdjustmentApplied: 'approved',
  DepositDeclined: 'declined',
  WithdrawalDeclined: 'declined',
  AdjustmentRejected: 'declined',
  ReserveMovementRejected: 'declined',
  DepositCancelled: 'cancelled',
  WithdrawalCancelled: 'cancelled',
  DepositReversed: 'reversed',
  WithdrawalReversed: 'reversed',
  WalletFunded: 'recorded',
  ReserveFunded: 'recorded',
  ReserveWithdrawn: 'recorded',
  SweptToReserve: 'recorded',
  InvestmentOpened: 'recorded',
  InvestmentMatured: 'recorded',
  InvestmentCancelled: 'recorded',
  InvestmentDenied: 'recorded',
  ProfitAccrued: 'recorded',
  PlanDefined: 'recorded',
  MoneyRulesSet: 'recorded',
  InvestorActivated: 'recorded',
  InvestorSuspended: 'recorded',
  InvestorClosed: 'recorded',
}

/**
 * The steps of a transaction. Transactions that an investment or a funding recorded have one step.
 */
export function toSteps(
  events: readonly RecordedEvent[],
  nameOf: (actor: string) => string,
): Step[] {
  return events.map(({ type, effectiveAt, actor, seq }) => ({
    kind: kindOf(type),
    at: effectiveAt,
    by: nameOf(actor),
    seq: String(seq),
  }))
}

/** Also handles a type that only a newer ledger service knows. */
function kindOf(type: string): Step['kind'] {
  return Object.entries(KINDS).find(([known]) => known === type)?.[1] ?? 'recorded'
}
