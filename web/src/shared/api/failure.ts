import type { ApiError, ChangeSummary } from '@cairn/gateway-contracts'

/**
 * Tells whether the error is an `ApiError`. Compares the name of the error, because an import of
 * the class would also load all schemas.
 */
function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError'
}

const MORE_TO_PROVE = ['PASSWORD_EXPIRED', 'MFA_ENROLMENT_REQUIRED', 'PASSKEY_ENROLMENT_REQUIRED']

/**
 * True if the server answers no read of the user until the user logs in again or completes a
 * missing login step.
 */
export function needsLogin(error: unknown): boolean {
  return isApiError(error) && (error.status === 401 || MORE_TO_PROVE.includes(error.code))
}

export function getErrorCode(error: unknown): string | null {
  return isApiError(error) ? error.code : null
}

/** Returns the server's message if the server sent a message, otherwise `fallback`. */
export function getErrorMessage(error: unknown, fallback: string): string {
  if (!isApiError(error) || error.message === '') return fallback
  // The message of a server fault does not help the user, so `fallback` replaces it.
  return error.status >= 500 && error.code !== 'MAINTENANCE' ? fallback : error.message
}

/** Returns the error of each field. Returns no errors if the change only waits for an approval. */
export function getFieldErrors(error: unknown): Readonly<Record<string, string>> {
  return isApiError(error) && error.changeRequest === null ? error.errors : {}
}

/**
 * Returns the change request that waits for a second administrator. Returns null if the error
 * contains no change request.
 */
export function getWaitingRequest(error: unknown): ChangeSummary | null {
  return isApiError(error) ? error.changeRequest : null
}

/**
 * Tells whether the server has certainly refused the request. After a timeout or a server fault,
 * the server may have carried out the request.
 */
export function isDefiniteAnswer(error: unknown): boolean {
  if (!isApiError(error)) return false
  return error.status >= 400 && error.status < 500 && ![408, 425, 429].includes(error.status)
}

/**
 * Returns the number of seconds until the next attempt. Returns null if the server sent no such
 * number.
 */
export function getRetryAfterSeconds(error: unknown): number | null {
  return isApiError(error) ? error.retryAfterSeconds : null
}
