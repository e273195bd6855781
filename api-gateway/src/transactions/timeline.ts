import type { TransactionStep } from '@cairn/gateway-contracts'
import type { RecordedEvent } from '@cairn/ledger-contracts'
import type { z } from 'zod'

type Step = z.infer<typeof TransactionStep>

const KINDS: Readonly<Record<string, Step['kind']>> = {
  DepositRequested: 'requested',
  WithdrawalRequested: 'requested',
  AdjustmentProposed: 'requested',
  ReserveWithdrawalProposed: 'requested',
  SweepProposed: 'requested',
  DepositApprovalRecorded: 'approved-once',
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
}

/** The steps of a transaction; what an investment or a funding moved has been one step. */
export function toSteps(
  events: readonly RecordedEvent[],
  nameOf: (actor: string) => string,
): Step[] {
  return events.map(({ type, effectiveAt, actor, seq }) => ({
    kind: KINDS[type] ?? 'approved',
    at: effectiveAt,
    by: nameOf(actor),
    seq: String(seq),
  }))
}
