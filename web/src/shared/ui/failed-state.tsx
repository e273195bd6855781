import { RefreshCw } from 'lucide-react'

import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

type FailedStateProps = { message: string; onRetry: () => unknown; pending?: boolean }

/** Shows the failure in place of the content, with a button to retry. */
export function FailedState({ message, onRetry, pending }: FailedStateProps) {
  return (
    <Notice
      tone="error"
      action={
        <Button size="small" pending={pending} onClick={() => void onRetry()}>
          {pending !== true && <RefreshCw aria-hidden="true" className="size-3.5" />}
          Retry
        </Button>
      }
    >
      {message}
    </Notice>
  )
}
