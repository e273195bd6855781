import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

import { getMoneyPrefix } from '../money/currency.ts'
import { joinClasses } from './join-classes.ts'

export const CONTROL =
  'w-full rounded-card border border-line-strong bg-surface px-3 text-16 text-ink transition-colors duration-150 placeholder:text-muted hover:border-ink disabled:cursor-not-allowed disabled:border-line disabled:bg-sunken disabled:text-muted aria-invalid:border-declined'

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...rest} className={joinClasses(CONTROL, 'h-11', className)} />
}

/** An area that grows with its text. It has at least the height of `rows` lines. */
export function Textarea({ rows = 4, className, ...rest }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...rest}
      rows={rows}
      // The lines, the padding and the border.
      style={{ minHeight: `calc(${rows}lh + 1.375rem)` }}
      className={joinClasses(CONTROL, 'field-sizing-content max-h-[60dvh] py-2.5', className)}
    />
  )
}

export function Select({ className, children, ...rest }: ComponentProps<'select'>) {
  return (
    <span className="relative block">
      <select
        {...rest}
        className={joinClasses(CONTROL, 'h-11 appearance-none truncate pr-10', className)}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 right-3 my-auto size-4 text-muted"
      />
    </span>
  )
}

/** A text input for an amount in the currency of the site. `parseMoney` parses the text. */
export function MoneyInput({ className, ...rest }: ComponentProps<'input'>) {
  const prefix = getMoneyPrefix()
  return (
    <span className="relative block">
      <span aria-hidden="true" className="absolute top-2.5 left-3 text-16 text-muted">
        {prefix}
      </span>
      <input
        inputMode="decimal"
        autoComplete="off"
        maxLength={16}
        {...rest}
        type="text"
        className={joinClasses(
          CONTROL,
          'tabular h-11',
          prefix.length > 1 ? 'pl-14' : 'pl-7',
          className,
        )}
      />
    </span>
  )
}

export function Checkbox({
  label,
  className,
  ...rest
}: ComponentProps<'input'> & { label: ReactNode }) {
  return (
    <label className={joinClasses('flex items-start gap-3 py-1 text-14', className)}>
      <input {...rest} type="checkbox" className="mt-0.5 size-5 shrink-0 accent-[var(--accent)]" />
      <span>{label}</span>
    </label>
  )
}
