import { FileImage } from 'lucide-react'
import { DateText } from '../../shared/ui/date-text.tsx'
import type { Transaction } from './queries.ts'
import { RiskMarks } from './risk-marks.tsx'

type Props = { transaction: Transaction }

/** Shows how long a pending request has waited, its payment proof and its warnings, as one line. */
export function PendingFacts({ transaction }: Props) {
  if (transaction.status !== 'pending') return null
  return (
    <span className="flex flex-wrap items-center justify-between gap-x-3 text-12 text-muted">
      <span className="whitespace-nowrap">
        Waiting <DateText at={transaction.createdAt} format="age" />
      </span>
      <Proof transaction={transaction} />
      <RiskMarks flags={transaction.flags} />
    </span>
  )
}

/** Shows whether a pending deposit has a payment proof. Other requests need no proof. */
export function Proof({ transaction: { type, status, receipt } }: Props) {
  if (type !== 'deposit' || status !== 'pending') return null
  if (receipt === null) return <span className="text-muted">No payment proof</span>
  return (
    <span className="inline-flex items-center gap-1.5">
      <FileImage aria-hidden="true" className="size-4 text-muted" />
      Payment proof
    </span>
  )
}

/** The short form of `Proof`, which fits beside the title of a row. */
export function ProofMark({ transaction: { type, status, receipt } }: Props) {
  if (type !== 'deposit' || status !== 'pending') return null
  return (
    <span className="inline-flex items-center gap-1 whitespace-nowrap text-12 text-muted">
      {receipt === null ? (
        'No proof'
      ) : (
        <>
          <FileImage aria-hidden="true" className="size-3.5" />
          Proof
        </>
      )}
    </span>
  )
}
