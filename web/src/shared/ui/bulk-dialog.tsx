import { type ReactNode, useRef, useState } from 'react'

import { getErrorMessage, getWaitingRequest } from '../api/failure.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { joinClasses } from './join-classes.ts'
import { ReasonField } from './reason-field.tsx'

type BulkItem = { id: string; label: string; detail?: ReactNode }

type Outcome = { kind: 'done' | 'waiting' | 'failed'; text: string }

type BulkDialogProps = {
  title: string
  /** The text that states the consequence of the action. */
  text: ReactNode
  items: readonly BulkItem[]
  button: string
  look: 'primary' | 'danger'
  /** The hint of the field for a reason. Without a hint, the dialog asks for no reason. */
  reasonHint?: string
  /** Carries out the action on one item. Returns the result in one or two words. */
  act: (id: string, reason: string) => Promise<string>
  fallback: string
  /** The dialog calls this function after the last item, even if some calls failed. */
  onEnd: () => unknown
  onClose: () => void
}

/**
 * Carries out an action on several rows, one call after the other, and shows the result of each
 * call. Each call is decided and recorded separately, so a failed call does not affect the other
 * calls.
 */
export function BulkDialog(props: BulkDialogProps) {
  const { title, text, items, button, look, reasonHint, act, fallback, onEnd, onClose } = props
  const [reason, setReason] = useState('')
  const [isChecked, setChecked] = useState(false)
  const [running, setRunning] = useState<string | null>(null)
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const isStopped = useRef(false)
  const open = items.filter(({ id }) => isOpen(outcomes.get(id)))
  const hasBegun = outcomes.size > 0
  const needsReason = reasonHint !== undefined && reason.trim() === ''

  async function run(): Promise<void> {
    setChecked(true)
    if (running !== null || needsReason) return
    isStopped.current = false
    for (const { id } of open) {
      if (isStopped.current) break
      setRunning(id)
      const outcome = await act(id, reason.trim()).then(
        (done): Outcome => ({ kind: 'done', text: done }),
        (error) => describeFailure(error, fallback),
      )
      setOutcomes((known) => new Map(known).set(id, outcome))
    }
    setRunning(null)
    await onEnd()
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && running === null && onClose()}
      title={title}
      footer={
        running === null ? (
          <>
            <Button onClick={onClose}>{hasBegun ? 'Close' : 'Back'}</Button>
            {open.length > 0 && (
              <Button look={look} onClick={() => void run()}>
                {hasBegun ? `Retry the remaining ${open.length}` : button}
              </Button>
            )}
          </>
        ) : (
          <Button
            onClick={() => {
              isStopped.current = true
            }}
          >
            Stop after this item
          </Button>
        )
      }
    >
      <div className="grid gap-4 text-14">
        <p>{text}</p>
        {reasonHint !== undefined && !hasBegun && (
          <ReasonField
            value={reason}
            onChange={setReason}
            isChecked={isChecked}
            isFocused
            hint={reasonHint}
          />
        )}
        <p role="status" className={joinClasses(!hasBegun && running === null && 'sr-only')}>
          {running === null && !hasBegun
            ? ''
            : `${items.length - open.length} of ${items.length} finished`}
        </p>
        <ul aria-label="Selected rows" className="divide-y divide-line border-line border-y">
          {items.map(({ id, label, detail }) => (
            <li key={id} className="grid gap-0.5 py-2">
              <span className="flex justify-between gap-3">
                <span className="min-w-0">{label}</span>
                <span className="shrink-0">{detail}</span>
              </span>
              <OutcomeText outcome={outcomes.get(id)} isRunning={running === id} />
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

const TONES = { done: 'text-success', waiting: 'text-info', failed: 'text-declined' } as const

function OutcomeText({ outcome, isRunning }: { outcome: Outcome | undefined; isRunning: boolean }) {
  if (isRunning) return <span className="text-12 text-muted">Sending</span>
  if (outcome === undefined) return null
  return <span className={joinClasses('text-12', TONES[outcome.kind])}>{outcome.text}</span>
}

function isOpen(outcome: Outcome | undefined): boolean {
  return outcome === undefined || outcome.kind === 'failed'
}

function describeFailure(error: unknown, fallback: string): Outcome {
  return getWaitingRequest(error) === null
    ? { kind: 'failed', text: getErrorMessage(error, fallback) }
    : { kind: 'waiting', text: 'Sent for approval by another administrator' }
}
