import type { Transaction } from '@cairn/gateway-contracts'
import { WALLET_LABELS } from '@cairn/gateway-contracts/wallet-labels'
import {
  ArrowDownLeft,
  ArrowLeftRight,
  ArrowUpRight,
  CircleCheck,
  CircleX,
  Clock,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { toMinor } from '../../shared/money/money.ts'
import { Badge } from '../../shared/ui/badge.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import {
  describePurpose,
  getPurposeLabel,
  getStatusWord,
  getTransactionTitle,
  type PlanNames,
} from './transaction-labels.ts'

const TYPE_MARKS = {
  deposit: { icon: ArrowDownLeft, look: 'bg-success-soft text-success' },
  withdrawal: { icon: ArrowUpRight, look: 'bg-declined-soft text-declined' },
  transfer: { icon: ArrowLeftRight, look: 'bg-info-soft text-info' },
} as const

function TypeMark({ type }: { type: Transaction['type'] }) {
  const { icon: Icon, look } = TYPE_MARKS[type]
  return (
    <span
      aria-hidden="true"
      className={joinClasses('flex size-8 shrink-0 items-center justify-center rounded-full', look)}
    >
      <Icon className="size-4" />
    </span>
  )
}

export function TypeCell({
  transaction,
  title,
  mark,
  note,
}: {
  transaction: Transaction
  /** If this title is set, it replaces the type and the purpose. */
  title?: string | undefined
  /** A short mark beside the title. */
  mark?: ReactNode
  note?: ReactNode
}) {
  const second = note ?? (title === undefined ? getPurposeLabel(transaction) : null)
  return (
    <span className="flex min-w-0 items-center gap-3">
      <TypeMark type={transaction.type} />
      <span className="grid min-w-28 grid-cols-1">
        <span className="flex items-center gap-2">
          <span className="font-medium">{title ?? getTransactionTitle(transaction)}</span>
          {mark}
        </span>
        {second !== null && <span className="tabular truncate text-12 text-muted">{second}</span>}
      </span>
    </span>
  )
}

/** Shows what the transaction did. The underlined reference shows that the row opens its details. */
export function MyTypeCell({
  transaction,
  planNames,
}: {
  transaction: Transaction
  planNames: PlanNames
}) {
  return (
    <TypeCell
      transaction={transaction}
      title={describePurpose(transaction, planNames)}
      note={
        <span className="underline decoration-line-strong underline-offset-2">
          {transaction.reference}
        </span>
      }
    />
  )
}

const STATUS_MARKS = {
  pending: { icon: Clock, tone: 'pending' },
  success: { icon: CircleCheck, tone: 'success' },
  declined: { icon: CircleX, tone: 'declined' },
} as const

/**
 * Shows the status. A decline is grey for an investor and red for an administrator; a cancellation
 * is grey for both.
 */
export function StatusBadge({
  transaction,
  viewer,
}: {
  transaction: Pick<Transaction, 'status' | 'cancelledBy'>
  viewer: 'investor' | 'admin'
}) {
  const { status, cancelledBy } = transaction
  const { icon, tone } = STATUS_MARKS[status]
  const isQuiet = cancelledBy !== null || (status === 'declined' && viewer === 'investor')
  return <Badge tone={isQuiet ? 'neutral' : tone} icon={icon} word={getStatusWord(transaction)} />
}

/** Names the wallet and shows its balance after this transaction; empty if no money was moved. */
export function BalanceCell({ transaction }: { transaction: Transaction }) {
  const after = transaction.balanceAfter
  if (after === undefined || after === null) return <span className="text-muted">–</span>
  return (
    <span className="inline-flex flex-wrap items-baseline justify-end gap-x-2">
      <span className="text-12 text-muted">{WALLET_LABELS[after.wallet]}</span>
      <MoneyText minor={toMinor(after.amount)} />
    </span>
  )
}

/**
 * Shows a positive amount if the wallet receives money, and a negative amount if the wallet pays
 * money. A movement of the operator has no sign.
 */
export function AmountCell({
  transaction,
  large = false,
}: {
  transaction: Transaction
  large?: boolean
}) {
  const minor = toMinor(transaction.amount)
  return (
    <MoneyText
      minor={transaction.isCredit ? minor : -minor}
      signed
      large={large}
      className={joinClasses(
        'font-medium',
        transaction.status === 'declined' && 'text-muted line-through decoration-1',
      )}
    />
  )
}
