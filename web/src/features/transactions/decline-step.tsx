import { formatMoney, toMinor } from '../../shared/money/money.ts'
import { ReasonStep } from '../../shared/ui/reason-step.tsx'
import type { StepProps } from './approve-step.tsx'
import { type Transaction, useDeclineTransaction } from './queries.ts'
import { describeRequest, getOwner, getTransactionTitle } from './transaction-labels.ts'

export function Decline({ transaction, onBack, onDone }: StepProps) {
  const { id } = transaction
  const { isPending, error, mutateAsync } = useDeclineTransaction()
  return (
    <ReasonStep
      text={describeDecision(transaction)}
      hint={transaction.user === undefined ? undefined : 'The investor sees this reason.'}
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

/** Names the person whose request is declined, so that the reason is written to this person. */
function describeDecision(transaction: Transaction): string {
  if (transaction.user === undefined) return 'Decline the movement of the reserve.'
  const title = getTransactionTitle(transaction).toLowerCase()
  return `Decline the ${title} of ${getOwner(transaction).name}.`
}
