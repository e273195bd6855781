import { ChevronDown } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { CONTROL } from './control.ts'
import { joinClasses } from './join-classes.ts'

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
