import type { RiskFlag } from '@cairn/gateway-contracts'
import { TriangleAlert } from 'lucide-react'

export const FLAG_SENTENCES: Record<RiskFlag, string> = {
  'first-withdrawal': 'This investor’s first withdrawal',
  'new-bank-account': 'The bank account was added recently',
  'receipt-used-before': 'Proof uploaded with another deposit',
  'hash-used-before': 'Hash entered for another deposit',
  'method-ambiguous': 'Two payment options match, and the investor chose neither',
  'bank-account-changed':
    'The bank account was changed after the request, so the request cannot be approved. Decline it.',
  'name-differs': 'The name on the bank account differs from the investor’s name',
}

/** A short name of each flag. The flag that is most important to check comes first. */
const MARKS: ReadonlyArray<readonly [RiskFlag, string]> = [
  ['bank-account-changed', 'Account changed'],
  ['hash-used-before', FLAG_SENTENCES['hash-used-before']],
  ['receipt-used-before', FLAG_SENTENCES['receipt-used-before']],
  ['name-differs', 'Name differs'],
  ['new-bank-account', 'New bank account'],
  ['method-ambiguous', 'Unclear method'],
  ['first-withdrawal', 'First withdrawal'],
]

/**
 * Names the most important warning about a pending request and the number of the other warnings. A
 * screen reader reads the sentences that the review panel shows.
 */
export function RiskMarks({ flags = [] }: { flags: readonly RiskFlag[] | undefined }) {
  const [first, ...others] = MARKS.filter(([flag]) => flags.includes(flag))
  if (first === undefined) return null
  const sentences = [first, ...others].map(([flag]) => FLAG_SENTENCES[flag])
  return (
    <span
      title={sentences.join('. ')}
      className="inline-flex min-w-0 items-center gap-1 whitespace-nowrap text-12 text-pending leading-3.5"
    >
      <TriangleAlert aria-hidden="true" className="size-3.5 shrink-0" />
      <span aria-hidden="true">
        {first[1]}
        {others.length > 0 && `, +${others.length}`}
      </span>
      <span className="sr-only">Warnings: {sentences.join('. ')}</span>
    </span>
  )
}
