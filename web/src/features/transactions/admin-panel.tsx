import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { toMinor } from '../../shared/money/money.ts'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { IconButton } from '../../shared/ui/button.tsx'
import { SidePanel } from '../../shared/ui/dialog.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { InlineMoney } from '../../shared/ui/money-text.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { notifySuccess } from '../../shared/ui/notify.ts'
import { useOpenedId } from '../../shared/ui/opened-id.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { ReviewerNotes } from '../notes/index.ts'
import { TransactionDecision } from './decision.tsx'
import { findNeighbours, type Neighbours, type PanelKey, readPanelKey } from './neighbours.ts'
import { PaidFromFacts, PaidToFacts, PaymentFacts } from './payment-facts.tsx'
import { type Transaction, transactionQueries } from './queries.ts'
import { ReceiptViewer } from './receipt-viewer.tsx'
import { DuplicateReceipts, HoldNotice, RiskFlags, Timeline } from './review-facts.tsx'
import { AmountFacts, FurtherFacts } from './transaction-facts.tsx'
import { describeRequest, getOwner, getTransactionTitle } from './transaction-labels.ts'

/**
 * The time after a decision in which the buttons of the next request ignore the pointer. A second
 * click then cannot decide a request that the administrator has not seen.
 */
const SETTLE_MS = 600

type PanelProps = {
  id: string | null
  /**
   * The transactions of the list. The panel shows the one with the id until the details have
   * loaded.
   */
  rows: readonly Transaction[] | undefined
  action: string | null
  /** True if the list has only pending requests. After a decision, the next request opens. */
  isQueue: boolean
  onAction: (action: 'approve' | 'decline' | null) => void
  onOpen: (id: string) => void
  onClose: () => void
}

/**
 * Shows one transaction beside the list. The keys j and k open the next and the previous
 * transaction. The keys a and d open the approval and the decline.
 */
export function AdminTransactionPanel(props: PanelProps) {
  const { id, rows = [], action, isQueue, onAction, onOpen, onClose } = props
  const row = rows.find((each) => each.id === id) ?? null
  const neighbours = findNeighbours(
    rows.map((each) => each.id),
    id,
  )
  const [decided, setDecided] = useState<Decided | null>(null)
  const isSettling = useSettling(decided)
  const detail = useQuery({ ...transactionQueries.readTransaction(id ?? ''), enabled: id !== null })
  const transaction = detail.data?.transaction ?? row
  const hasPermission = useHasPermission()
  const receipt = hasPermission('receipts.read') ? (transaction?.receipt ?? null) : null
  const canDecide =
    transaction !== null && isDecidable(transaction) && hasPermission('transactions.decide')
  const hasDecisionKeys = canDecide && transaction.status === 'pending'
  usePanelKeys(id !== null && action === null, (key) => {
    if (key === 'approve' || key === 'decline') {
      if (hasDecisionKeys) onAction(key)
      return
    }
    const neighbour = neighbours[key]
    if (neighbour !== null) onOpen(neighbour)
  })
  const openedId = useOpenedId(id)
  const handleDecided = (outcome: string) => {
    // Meanwhile, the administrator can have opened another request or left the page.
    if (openedId.current !== id) return notifySuccess(outcome)
    const next = isQueue ? rows.find((each) => each.id === neighbours.next) : undefined
    if (next !== undefined) {
      // The panel stays open and shows the result itself, so that there is one message, not two.
      setDecided({ nextId: next.id, sentences: `${outcome} Next: ${describeRequest(next)}.` })
      onOpen(next.id)
      return
    }
    setDecided(null)
    notifySuccess(outcome)
    if (isQueue) onClose()
    else onAction(null)
  }
  return (
    <SidePanel
      wide={receipt !== null}
      open={id !== null}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      subject={id}
      title={transaction === null ? 'Transaction' : <RequestTitle transaction={transaction} />}
      description={
        <Steps neighbours={neighbours} hasDecisionKeys={hasDecisionKeys} onOpen={onOpen} />
      }
      footer={
        canDecide ? (
          <TransactionDecision
            key={transaction.id}
            transaction={transaction}
            action={action}
            usualAccount={
              transaction.type === 'withdrawal' ? detail.data?.paidFrom : detail.data?.paidTo
            }
            onAction={(next) => {
              if (openedId.current === id) onAction(next)
            }}
            isSettling={isSettling}
            onDecided={handleDecided}
          />
        ) : null
      }
    >
      {/* The element is present before its text, so that screen readers announce the text. */}
      <div role="status">
        {decided !== null && decided.nextId === id && (
          <Notice tone="success" className="mb-4">
            {decided.sentences}
          </Notice>
        )}
      </div>
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
        <div
          className={joinClasses(
            'grid grid-cols-1 gap-6',
            receipt !== null && 'lg:grid-cols-2 lg:grid-rows-[auto_1fr]',
          )}
        >
          <div className="grid content-start gap-6">
            <HoldNotice transaction={transaction} viewer="admin" />
            <RiskFlags
              flags={detail.data?.flags ?? []}
              bankAccountAddedAt={detail.data?.bankAccountAddedAt}
            />
            <AmountFacts transaction={transaction} viewer="admin" />
          </div>
          {/* The payment proof follows the amount with which it is compared; on a wide screen it has
             its own column. */}
          {receipt !== null && (
            <div className="lg:col-start-1 lg:row-span-2 lg:row-start-1">
              <ReceiptViewer key={transaction.id} path={receipt} transactionId={transaction.id} />
            </div>
          )}
          <div className="grid content-start gap-6">
            <FurtherFacts transaction={transaction} viewer="admin" />
            {transaction.status === 'success' && <PaidFromFacts paidFrom={detail.data?.paidFrom} />}
            <PaidToFacts paidTo={detail.data?.paidTo ?? null} />
            <PaymentFacts payment={detail.data?.payment ?? null} />
            <Timeline steps={detail.data?.timeline ?? []} />
            {transaction.user !== undefined && hasPermission('users.notes') && (
              <ReviewerNotes key={transaction.id} userId={transaction.user.id} />
            )}
            <DuplicateReceipts kind="receipt" transactions={detail.data?.sameReceipt ?? []} />
            <DuplicateReceipts kind="hash" transactions={detail.data?.sameHash ?? []} />
          </div>
        </div>
      )}
    </SidePanel>
  )
}

/** The last decision, and the request that the panel opened after it. */
type Decided = { nextId: string; sentences: string }

/** Returns true for a short time after each decision. */
function useSettling(decided: Decided | null): boolean {
  const [settled, setSettled] = useState<Decided | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(decided), SETTLE_MS)
    return () => clearTimeout(timer)
  }, [decided])
  return decided !== null && decided !== settled
}

/**
 * Names the transaction in the header, which stays in view while the facts scroll. Only the screen
 * shortens a long name.
 */
function RequestTitle({ transaction }: { transaction: Transaction }) {
  return (
    <span className="flex flex-wrap whitespace-pre">
      <span>{getTransactionTitle(transaction)} · </span>
      <span className="flex min-w-0">
        <span className="truncate">{getOwner(transaction).name}</span>
        <span> · </span>
      </span>
      <InlineMoney minor={toMinor(transaction.amount)} />
    </span>
  )
}

type StepsProps = {
  neighbours: Neighbours
  hasDecisionKeys: boolean
  onOpen: (id: string) => void
}

function Steps({ neighbours: { previous, next }, hasDecisionKeys, onOpen }: StepsProps) {
  if (previous === null && next === null) return 'Details and available actions'
  return (
    <span className="flex items-center gap-1">
      <IconButton
        label="Previous transaction (k)"
        disabled={previous === null}
        onClick={() => previous !== null && onOpen(previous)}
        size="small"
        className="-ml-2"
      >
        <ChevronLeft aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton
        label="Next transaction (j)"
        disabled={next === null}
        onClick={() => next !== null && onOpen(next)}
        size="small"
      >
        <ChevronRight aria-hidden="true" className="size-4" />
      </IconButton>
      <span className="text-12 max-sm:hidden">
        Keys: j next, k previous{hasDecisionKeys && ', a approve, d decline'}
      </span>
    </span>
  )
}

function usePanelKeys(isActive: boolean, onKey: (key: PanelKey) => void): void {
  useEffect(() => {
    if (!isActive) return
    const handleKey = (event: KeyboardEvent) => {
      const key = readPanelKey(event)
      if (key === null || isTyping(event.target)) return
      event.preventDefault()
      onKey(key)
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  })
}

/** Tells whether the focused element needs the pressed key itself, to type or to scroll. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, section[tabindex]') !== null
  )
}

/** Tells whether this panel offers a decision on the transaction. A transfer needs none. */
function isDecidable({ type }: Transaction): boolean {
  return type !== 'transfer'
}
