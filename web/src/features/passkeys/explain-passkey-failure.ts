import { getErrorMessage } from '../../shared/api/failure.ts'
import { CeremonyError } from '../../shared/webauthn/ceremony.ts'

/**
 * Returns the error message of the passkey ceremony or of the server. If there is no such message,
 * returns `fallback`.
 */
export function explainPasskeyFailure(error: unknown, fallback: string): string {
  return error instanceof CeremonyError ? error.message : getErrorMessage(error, fallback)
}
