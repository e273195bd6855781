import { CircleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'

import { joinClasses } from './join-classes.ts'

type ControlIds = {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

type FieldProps = {
  label: ReactNode
  hint?: ReactNode
  error?: string | null | undefined
  optional?: boolean | undefined
  className?: string | undefined
  children: (ids: ControlIds) => ReactNode
}

/** A label, its control, a hint and the error, linked for assistive technology. */
export function Field({ label, hint, error, optional, className, children }: FieldProps) {
  const id = useId()
  const hasError = error !== undefined && error !== null && error !== ''
  const describedBy = joinClasses(hint !== undefined && `${id}-hint`, hasError && `${id}-error`)
  return (
    <div className={joinClasses('grid content-start gap-1.5', className)}>
      <label htmlFor={id} className="font-medium text-14">
        {label}
        {optional === true && <span className="font-normal text-muted"> (optional)</span>}
      </label>
      {children({
        id,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
        'aria-invalid': hasError || undefined,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-12 text-muted">
          {hint}
        </p>
      )}
      {hasError && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}

export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-1.5 text-14 text-declined">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {children}
    </p>
  )
}
