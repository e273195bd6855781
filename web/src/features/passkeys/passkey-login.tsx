import { KeyRound } from 'lucide-react'

import { Button } from '../../shared/ui/button.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { useNoPasskeysReason } from '../../shared/webauthn/ceremony.ts'
import { type SignedIn, toSignedIn } from '../sessions/index.ts'
import { explainPasskeyFailure } from './explain-passkey-failure.ts'
import { usePasskeyLogin } from './queries.ts'

type PasskeyLoginProps = { remember: boolean; onEntered: (user: SignedIn) => void }

/** Logs in with a passkey instead of password and code. */
export function PasskeyLogin({ remember, onEntered }: PasskeyLoginProps) {
  const login = usePasskeyLogin()
  const reason = useNoPasskeysReason()
  return (
    <div className="grid gap-3">
      <Button
        size="large"
        wide
        disabled={reason !== null}
        pending={login.isPending}
        onClick={() =>
          login.mutate(remember, { onSuccess: (answer) => onEntered(toSignedIn(answer)) })
        }
      >
        <KeyRound aria-hidden="true" className="size-4" />
        Use a passkey
      </Button>
      {reason !== null && <p className="text-12 text-muted">{reason}</p>}
      {login.isError && (
        <Notice tone="error">
          {explainPasskeyFailure(
            login.error,
            'The passkey could not be checked. Please try again.',
          )}
        </Notice>
      )}
    </div>
  )
}
