import { RefreshCw } from 'lucide-react'

import { Button } from './button.tsx'
import { isScriptMissing } from './missing-script.ts'
import { Notice } from './notice.tsx'

type FailedStateProps = {
  message: string
  /** The error of the query. If it names a ledger that does not answer, the message does too. */
  error?: unknown
  onRetry: () => unknown
  pending?: boolean
}

/** Shows the failure in place of the content, with a button to retry. */
export function FailedState({ message, error, onRetry, pending }: FailedStateProps) {
  return (
    <Notice
      tone="error"
      action={
        <Button size="small" pending={pending} onClick={() => void retry(onRetry)}>
          {pending !== true && <RefreshCw aria-hidden="true" className="size-3.5" />}
          Retry
        </Button>
      }
    >
      {nameSilentLedger(error, message)}
    </Notice>
  )
}

/**
 * If a script is still missing, loads the whole page: some browsers do not request a script again
 * whose import has failed. Without a connection, the page would be lost, so it stays.
 */
async function retry(onRetry: FailedStateProps['onRetry']): Promise<void> {
  // The cast is safe because any value can be asked for a property with `?.`.
  const result = (await onRetry()) as { error?: unknown } | null | undefined
  if (isScriptMissing(result?.error) && navigator.onLine) window.location.reload()
}

/** Adds to the message which ledger did not answer, if the server named one. */
export function nameSilentLedger(error: unknown, message: string): string {
  const isNamed = error instanceof Error && error.message.startsWith('Ledger ')
  return isNamed ? `${message} ${error.message}` : message
}
