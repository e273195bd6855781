import { useState } from 'react'
import { toast } from 'sonner'

import { messageOf } from '../../api/failure.ts'
import { Button } from '../../ui/button.tsx'
import { SidePanel } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Transaction, useCancelTransaction } from './queries.ts'
import { TransactionFacts } from './transaction-facts.tsx'
import { transactionTitle } from './transaction-words.ts'

type PanelProps = { transaction: Transaction | null; onClose: () => void }

export function MyTransactionPanel({ transaction, onClose }: PanelProps) {
  return (
    <SidePanel
      open={transaction !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={transaction === null ? '' : transactionTitle(transaction)}
      footer={
        transaction?.status === 'pending' ? (
          <CancelRequest key={transaction.id} transaction={transaction} />
        ) : null
      }
    >
      {transaction !== null && <TransactionFacts transaction={transaction} viewer="investor" />}
    </SidePanel>
  )
}

function CancelRequest({ transaction }: { transaction: Transaction }) {
  const [isAsking, setAsking] = useState(false)
  const cancel = useCancelTransaction()
  const submit = () =>
    cancel.mutateAsync(transaction.id).then(
      () => toast.success('Your request is cancelled.'),
      () => {},
    )
  if (!isAsking) return <Button onClick={() => setAsking(true)}>Cancel this request</Button>
  return (
    <div className="grid w-full gap-3">
      {cancel.isError && (
        <Notice tone="error">
          {messageOf(cancel.error, 'The request could not be cancelled.')}
        </Notice>
      )}
      <p className="text-14">
        {transaction.type === 'withdrawal'
          ? 'The money held for this withdrawal goes back to where it came from.'
          : 'The deposit will not be reviewed. Money that you have already sent is not sent back by this.'}
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
