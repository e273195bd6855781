import type { ReactNode } from 'react'

import type { Minor } from '../money/money.ts'
import { FigurePlaceholder } from './figure-placeholder.tsx'
import { joinClasses } from './join-classes.ts'
import { MoneyText } from './money-text.tsx'
import { TermInfo } from './term-info.tsx'
import type { TermName } from './terms.ts'

type StatCardProps = {
  label: string
  /** A term that the label contains. A button beside the label explains the term. */
  term?: TermName
  /**
   * An amount, a count or a text. Null until the value has loaded, so that a missing value is never
   * shown as zero.
   */
  value: { money: Minor } | { count: number } | { text: string } | null
  isLoading: boolean
  note?: ReactNode
  /**
   * True if the note has two lines on a phone. The card then reserves two lines while the note
   * loads.
   */
  hasLongNote?: boolean
  action?: ReactNode
}

export function StatCard(props: StatCardProps) {
  const { label, term, value, isLoading, note, hasLongNote = false, action } = props
  const words = label.split(' ')
  const lastWord = words.pop()
  return (
    <div className="grid content-start gap-1 bg-surface px-4 py-3 max-sm:row-span-4 max-sm:grid-rows-subgrid sm:px-5">
      {/* The button stays beside the last word, also if the label needs two lines. */}
      <div className="text-14 text-muted">
        {words.map((word) => `${word} `)}
        <span className="whitespace-nowrap">
          {lastWord}
          {term !== undefined && <TermInfo term={term} />}
        </span>
      </div>
      <p
        className={joinClasses(
          'flex min-h-7 items-center font-semibold tracking-tight sm:min-h-8.5',
          isLong(value) ? 'text-16 sm:text-20' : 'text-20 sm:text-28',
        )}
        aria-busy={isLoading || undefined}
      >
        {value === null ? (
          <FigurePlaceholder hasFailed={!isLoading} className="h-7 w-32" />
        ) : 'money' in value ? (
          <MoneyText minor={value.money} large />
        ) : 'text' in value ? (
          <span className="tabular">{value.text}</span>
        ) : (
          <span className="tabular">{value.count.toLocaleString('en-US')}</span>
        )}
      </p>
      {note !== undefined && (
        <p className={joinClasses('text-12 text-muted', hasLongNote && 'max-sm:min-h-8')}>{note}</p>
      )}
      {action !== undefined && <div className="mt-1 text-14">{action}</div>}
    </div>
  )
}

/**
 * Tells whether an amount is so long (ten million dollars or more) that it needs a smaller font.
 */
function isLong(value: StatCardProps['value']): boolean {
  return value !== null && 'money' in value && Math.abs(Number(value.money)) >= 1_000_000_000
}

/**
 * Groups cards into rows of four or two. On a phone the first of three cards has the full width, and
 * the figures of a row are aligned, because its cards share the rows of a grid.
 */
export function StatGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      className="flex flex-wrap gap-px overflow-hidden rounded-card border border-line bg-line max-sm:grid max-sm:grid-cols-[repeat(auto-fit,minmax(min(100%,9.5rem),1fr))] [&>*]:shrink [&>*]:grow sm:[&>*]:basis-52 max-md:[&:has(>:nth-child(3):last-child)>:first-child]:basis-full max-sm:[&:has(>:nth-child(3):last-child)>:first-child]:col-span-full max-sm:[&>:last-child:nth-child(odd):not(:nth-child(3))]:col-span-full sm:max-xl:[&:has(>:nth-child(4):last-child)>*]:basis-[40%] sm:[&:has(>:nth-child(6):last-child)>*]:basis-[30%]"
    >
      {children}
    </section>
  )
}
