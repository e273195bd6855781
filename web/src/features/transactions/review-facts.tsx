import type { getTransactionDetail, ResponseOf, RiskFlag } from '@cairn/gateway-contracts'
import { TriangleAlert } from 'lucide-react'

import { DateText } from '../../shared/ui/date-text.tsx'
import { EventLink } from '../../shared/ui/event-link.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import type { Transaction } from './queries.ts'
import { FLAG_SENTENCES } from './risk-marks.tsx'
import { AmountCell, StatusBadge } from './transaction-cells.tsx'
import { getOwner } from './transaction-labels.ts'

type Detail = ResponseOf<typeof getTransactionDetail>

type FlagsProps = { flags: readonly RiskFlag[]; bankAccountAddedAt: string | undefined }

export function RiskFlags({ flags, bankAccountAddedAt }: FlagsProps) {
  if (flags.length === 0) return null
  return (
    <section aria-labelledby="risk-flags" className="rounded-card bg-pending-soft p-4 text-pending">
      <h3 id="risk-flags" className="font-semibold text-14">
        Warnings
      </h3>
      <ul className="mt-2 grid gap-1.5 text-14">
        {flags.map((flag) => (
          <li key={flag} className="flex items-start gap-2">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
            <span>
              {FLAG_SENTENCES[flag]}
              {flag === 'new-bank-account' && bankAccountAddedAt !== undefined && (
                <>
                  : <DateText at={bankAccountAddedAt} format="moment" />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Explains to the investor or to the reviewer why a withdrawal is on hold. */
export function HoldNotice({
  transaction,
  viewer,
}: {
  transaction: Transaction
  viewer: 'investor' | 'admin'
}) {
  if (transaction.holdReason === null || transaction.status !== 'pending') return null
  return (
    <Notice tone="warning">
      This withdrawal is on hold. {transaction.holdReason}.{' '}
      {viewer === 'admin' && transaction.isOperatorPayout
        ? 'Two administrators must approve this withdrawal.'
        : viewer === 'admin'
          ? 'Two administrators must approve this withdrawal. First ask the investor about the change.'
          : 'Two administrators review this withdrawal, which takes longer. If you did not make the change, cancel the request and write to us.'}
    </Notice>
  )
}

export type TransactionStep = Detail['timeline'][number]

export const STEP_WORDS: Record<TransactionStep['kind'], string> = {
  requested: 'Requested',
  approved: 'Approved',
  declined: 'Declined',
  cancelled: 'Cancelled',
  reversed: 'Reversed',
  recorded: 'Recorded',
}

/**
 * Lists the actor and the action of each step of a transaction, with the event that records the
 * step.
 */
export function Timeline({ steps }: { steps: Detail['timeline'] }) {
  if (steps.length === 0) return null
  return (
    <section aria-labelledby="timeline" className="grid gap-2">
      <h3 id="timeline" className="font-medium text-14">
        History
      </h3>
      <ol className="grid gap-3 border-line border-l pl-4 text-14">
        {steps.map(({ kind, at, by, seq }) => (
          <li key={seq}>
            <span className="font-medium">{STEP_WORDS[kind]}</span> by{' '}
            <span className="break-words">{by}</span>
            <span className="block text-12 text-muted">
              <DateText at={at} format="moment" />, <EventLink seq={seq} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

const SAME_WORDS = {
  receipt: 'Other deposits with the same payment proof',
  hash: 'Other deposits with the same transaction hash',
} as const

/** Lists the deposits that have the same proof of payment as this deposit. */
export function DuplicateReceipts({
  kind,
  transactions,
}: {
  kind: keyof typeof SAME_WORDS
  transactions: readonly Transaction[]
}) {
  const titleId = `same-${kind}`
  if (transactions.length === 0) return null
  return (
    <section aria-labelledby={titleId} className="grid gap-2">
      <h3 id={titleId} className="font-medium text-14">
        {SAME_WORDS[kind]}
      </h3>
      <ul className="divide-y divide-line text-14">
        {transactions.map((other) => (
          <li key={other.id} className="flex flex-wrap items-center justify-between gap-2 py-2">
            <span className="grid min-w-0">
              <TextLink to={`/manage/admin/transactions?transaction=${other.id}`}>
                {other.reference}
              </TextLink>
              <span className="text-12 text-muted">
                {getOwner(other).name}, <DateText at={other.createdAt} format="day" />
              </span>
            </span>
            <span className="flex items-center gap-2">
              <AmountCell transaction={other} />
              <StatusBadge transaction={other} viewer="admin" />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
