import type { FormEvent, ReactNode } from 'react'

import { messageOf } from '../api/failure.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

type RequestFormProps = {
  /** Asked for once at a time: while one is under way nothing more is sent. */
  request: { isPending: boolean; error: unknown }
  /** What is said when the server says nothing. */
  failed: string
  submitLabel: string
  onSubmit: () => void
  onBack: () => void
  children: ReactNode
}

/** The step of a wizard that asks for money to be moved: its fields, what went wrong, back or on. */
export function RequestForm(props: RequestFormProps) {
  const { request, failed, submitLabel, onSubmit, onBack, children } = props
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!request.isPending) onSubmit()
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-6">
      {children}
      {request.error !== null && <Notice tone="error">{messageOf(request.error, failed)}</Notice>}
      <div className="flex justify-between gap-3">
        <Button onClick={onBack} disabled={request.isPending}>
          Back
        </Button>
        <Button type="submit" look="primary" pending={request.isPending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
