import { notifySuccess } from '../../shared/ui/notify.ts'
import { ReasonStep } from '../../shared/ui/reason-step.tsx'
import { useMoneyReasonHint } from '../changes/index.ts'
import type { StepProps } from './approve-step.tsx'
import { useApproveTransaction, useDeclineTransaction } from './queries.ts'
import { describePayment } from './transaction-labels.ts'

const FALLBACKS = {
  approve: 'Failed to approve transaction',
  decline: 'Failed to decline transaction',
} as const

/** Reverses a decision by new ledger entries. The entries of the decision stay in the ledger. */
export function Reverse({
  transaction,
  to,
  onBack,
}: Omit<StepProps, 'onDone'> & { to: 'approve' | 'decline' }) {
  const { id } = transaction
  const hint = useMoneyReasonHint()
  const approve = useApproveTransaction()
  const decline = useDeclineTransaction()
  const { isPending, error, mutateAsync } = to === 'approve' ? approve : decline
  return (
    <ReasonStep
      text={`This was already ${to === 'approve' ? 'declined' : 'approved'}. The change is recorded as a reversal; the earlier decision stays in the ledger.${to === 'approve' && transaction.type === 'withdrawal' ? ` ${describePayment(transaction)}` : ''}`}
      hint={hint}
      button={`Reverse and ${to}`}
      act={{
        isPending,
        error,
        mutateAsync: async (reason) => {
          await mutateAsync({ id, reason, reverse: true })
          notifySuccess('The earlier decision is reversed.')
        },
      }}
      fallback={FALLBACKS[to]}
      onDone={onBack}
      onBack={onBack}
    />
  )
}
