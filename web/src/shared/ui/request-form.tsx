import type { FormEvent, ReactNode } from 'react'

import { getErrorMessage } from '../api/failure.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

type RequestFormProps = {
  /**
   * The request that the form sends. The form cannot be submitted again while the request is
   * pending.
   */
  request: { isPending: boolean; error: unknown }
  /** The message that is shown if the server sends no message. */
  failed: string
  submitLabel: string
  /** True while the form loads what a request needs. The form cannot be submitted then. */
  isLoading?: boolean
  onSubmit: () => void
  onBack: () => void
  children: ReactNode
}

/** The wizard step that submits a money request: fields, error, back and submit. */
export function RequestForm(props: RequestFormProps) {
  const { request, failed, submitLabel, isLoading = false, onSubmit, onBack, children } = props
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!request.isPending) onSubmit()
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-6">
      {children}
      {request.error !== null && (
        <Notice tone="error">{getErrorMessage(request.error, failed)}</Notice>
      )}
      <div className="flex justify-between gap-3">
        <Button onClick={onBack} disabled={request.isPending}>
          Back
        </Button>
        <Button type="submit" look="primary" disabled={isLoading} pending={request.isPending}>
          {submitLabel}
        </Button>
      </div>
    </form>
  )
}
