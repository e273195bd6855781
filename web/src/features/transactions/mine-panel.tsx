import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { formatMoney, toMinor } from '../../shared/money/money.ts'
import { Button } from '../../shared/ui/button.tsx'
import { SidePanel } from '../../shared/ui/dialog.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { useLocation } from '../../shared/url/navigation.tsx'
import { PaidToFacts, PaymentFacts } from './payment-facts.tsx'
import { ProofSection } from './proof-section.tsx'
import { type Transaction, transactionQueries, useCancelTransaction } from './queries.ts'
import { HoldNotice, Timeline } from './review-facts.tsx'
import { ReviewTime } from './review-time.tsx'
import { OwnPaymentProof, TransactionFacts } from './transaction-facts.tsx'
import {
  describeMethod,
  getTransactionTitle,
  isCancellable,
  type PlanNames,
} from './transaction-labels.ts'

type PanelProps = {
  id: string | null
  /** The transaction from the list. The panel shows it until the details have loaded. */
  row: Transaction | null
  planNames: PlanNames
  onCancelled: () => void
  onClose: () => void
}

export function MyTransactionPanel({ id, row, planNames, onCancelled, onClose }: PanelProps) {
  const detail = useQuery({ ...transactionQueries.readTransaction(id ?? ''), enabled: id !== null })
  const transaction = detail.data?.transaction ?? row
  const { hash } = useLocation()
  const isLoaded = detail.data !== undefined
  // A link to the receipt scrolls to the proof again after the details above it have loaded.
  useEffect(() => {
    if (isLoaded && hash === '#proof') document.getElementById('proof')?.scrollIntoView()
  }, [isLoaded, hash])
  return (
    <SidePanel
      open={id !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={transaction === null ? 'Transaction' : getTransactionTitle(transaction)}
      footer={
        transaction !== null && isCancellable(transaction) ? (
          <CancelRequest key={transaction.id} transaction={transaction} onCancelled={onCancelled} />
        ) : null
      }
    >
      {detail.isError && (
        <FailedState
          message={getErrorMessage(detail.error, 'The transaction could not be loaded.')}
          error={detail.error}
          onRetry={detail.refetch}
          pending={detail.isFetching}
        />
      )}
      {transaction === null ? (
        !detail.isError && <Skeleton className="h-96 w-full rounded-card" />
      ) : (
        <div className="grid gap-6">
          <HoldNotice transaction={transaction} viewer="investor" />
          <TransactionFacts transaction={transaction} viewer="investor" planNames={planNames} />
          {transaction.status === 'pending' && transaction.type !== 'transfer' && (
            <ReviewTime of={{ type: transaction.type, method: transaction.method }} />
          )}
          <PaidToFacts paidTo={detail.data?.paidTo ?? null} />
          <PaymentFacts payment={detail.data?.payment ?? null} />
          <Timeline steps={detail.data?.timeline ?? []} />
          {transaction.investmentId !== null && (
            <TextLink
              to={`/manage/investor/investments?investment=${transaction.investmentId}`}
              className="w-fit text-14"
            >
              Open the investment
            </TextLink>
          )}
          {transaction.purpose !== 'bonus-return' && (
            <ProofSection
              key={transaction.id}
              transaction={transaction}
              newest={detail.data?.timeline.at(-1)}
            />
          )}
          {transaction.receipt !== null && (
            <OwnPaymentProof path={transaction.receipt} transactionId={transaction.id} />
          )}
        </div>
      )}
    </SidePanel>
  )
}

function CancelRequest({
  transaction,
  onCancelled,
}: {
  transaction: Transaction
  onCancelled: () => void
}) {
  const [isAsking, setAsking] = useState(false)
  const cancel = useCancelTransaction()
  const isHeld = transaction.type === 'withdrawal'
  const amount = formatMoney(toMinor(transaction.amount))
  const wallet = describeMethod(transaction.method)
  const submit = () =>
    cancel.mutateAsync(transaction.id).then(
      () => {
        notifySuccess(
          isHeld
            ? `Your request is cancelled. ${amount} is in your ${wallet} again.`
            : 'Your request is cancelled.',
        )
        onCancelled()
      },
      () => {},
    )
  if (!isAsking) return <Button onClick={() => setAsking(true)}>Cancel this request</Button>
  return (
    <div className="grid w-full gap-3">
      {cancel.isError && (
        <Notice tone="error">
          {getErrorMessage(cancel.error, 'The request could not be cancelled.')}
        </Notice>
      )}
      <p className="text-14">
        {isHeld
          ? `${amount} is held for this withdrawal. It returns to your ${wallet}.`
          : 'The deposit will not be reviewed. This does not return money that you have already sent. If you have already sent it, keep the request.'}
      </p>
      <div className="flex justify-end gap-2">
        <Button onClick={() => setAsking(false)}>Keep it</Button>
        <Button look="danger" pending={cancel.isPending} onClick={submit}>
          Cancel the request
        </Button>
      </div>
    </div>
  )
}
