import { getErrorMessage } from '../../shared/api/failure.ts'
import { CeremonyError } from '../../shared/webauthn/ceremony.ts'

/** Returns the message of the ceremony or of the server, otherwise `fallback`. */
export function explainPasskeyFailure(error: unknown, fallback: string): string {
  return error instanceof CeremonyError ? error.message : getErrorMessage(error, fallback)
}
