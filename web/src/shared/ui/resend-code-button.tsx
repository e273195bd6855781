import type { CodeRequested } from '@cairn/gateway-contracts'
import type { z } from 'zod'
import { getErrorMessage } from '../api/failure.ts'
import { Button } from './button.tsx'
import { useCountdown } from './countdown.ts'

type ResendCodeButtonProps = {
  label: string
  size?: 'small'
  /** The seconds until a code can be requested when the button appears. */
  waitSeconds?: number
  action: {
    mutateAsync: () => Promise<z.infer<typeof CodeRequested>>
    data: z.infer<typeof CodeRequested> | undefined
    isPending: boolean
    error: unknown
  }
}

/** Requests another code, says whether it was sent, and counts down until the next request. */
export function ResendCodeButton(props: ResendCodeButtonProps) {
  const { label, size, waitSeconds = 0, action } = props
  const [left, setLeft] = useCountdown(waitSeconds)
  const send = () =>
    action.mutateAsync().then(
      ({ retryAfter }) => setLeft(retryAfter),
      () => {},
    )
  return (
    <>
      <Button
        look="quiet"
        size={size}
        disabled={left > 0}
        pending={action.isPending}
        onClick={send}
      >
        {label}
        {left > 0 && <span className="tabular"> in {formatWait(left)}</span>}
      </Button>
      <span role="status" className="text-14">
        {action.data !== undefined && describeOutcome(action.data)}
        {action.error !== null && (
          <span className="text-declined">
            {getErrorMessage(action.error, 'The email could not be sent. Please try again.')}
          </span>
        )}
      </span>
    </>
  )
}

/** Returns an empty text if there is no wait: then no code was sent, because none is needed. */
function describeOutcome({ isSent = true, retryAfter }: z.infer<typeof CodeRequested>): string {
  if (retryAfter === 0) return ''
  return isSent
    ? 'A new code is being sent. The earlier code no longer works.'
    : 'No new code was sent. Please wait before you ask again.'
}

/** A wait of several minutes is stated in minutes, because a running count of seconds misleads. */
function formatWait(seconds: number): string {
  return seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`
}
