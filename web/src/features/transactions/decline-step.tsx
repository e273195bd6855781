import { formatMoney, toMinor } from '../../shared/money/money.ts'
import { ReasonStep } from '../../shared/ui/reason-step.tsx'
import type { StepProps } from './approve-step.tsx'
import { useDeclineTransaction } from './queries.ts'
import { describeRequest, getTransactionTitle } from './transaction-labels.ts'

export function Decline({ transaction, onBack, onDone }: StepProps) {
  const { id } = transaction
  const { isPending, error, mutateAsync } = useDeclineTransaction()
  return (
    <ReasonStep
      hint="The investor sees this reason."
      button={`Decline ${formatMoney(toMinor(transaction.amount))}`}
      act={{ isPending, error, mutateAsync: (reason) => mutateAsync({ id, reason }) }}
      fallback="Failed to decline transaction"
      onDone={() =>
        onDone(`${getTransactionTitle(transaction)} declined: ${describeRequest(transaction)}.`)
      }
      onBack={onBack}
    />
  )
}
