import { KeyRound } from 'lucide-react'

import { getErrorCode, getErrorMessage } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { CeremonyError, useNoPasskeysReason } from '../../shared/webauthn/ceremony.ts'
import { usePasskeyStepUp } from './queries.ts'

/**
 * Offers a passkey instead of the code. Renders nothing if this page cannot use passkeys or the
 * user has no passkey.
 */
export function PasskeyStep({ onShown }: { onShown: () => void }) {
  const stepUp = usePasskeyStepUp()
  const reason = useNoPasskeysReason()
  if (reason !== null || getErrorCode(stepUp.error) === 'NO_PASSKEY') return null
  const text =
    stepUp.error instanceof CeremonyError
      ? stepUp.error.message
      : getErrorMessage(stepUp.error, 'The passkey could not be checked. Please try again.')
  return (
    <div className="mb-5 grid gap-3 border-line border-b pb-5">
      <Button
        look="primary"
        className="w-fit"
        pending={stepUp.isPending}
        onClick={() => stepUp.mutate(undefined, { onSuccess: onShown })}
      >
        <KeyRound aria-hidden="true" className="size-4" />
        Use a passkey
      </Button>
      {stepUp.isError && <Notice tone="error">{text}</Notice>}
    </div>
  )
}
