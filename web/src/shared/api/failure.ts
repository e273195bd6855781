import type { ApiError, ChangeSummary } from '@cairn/gateway-contracts'

/** Checks the name, because importing the class would add all schemas to the smallest page. */
function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError'
}

const MORE_TO_PROVE = ['PASSWORD_EXPIRED', 'MFA_ENROLMENT_REQUIRED', 'PASSKEY_ENROLMENT_REQUIRED']

/** Tells whether reads fail until the user logs in again or completes a further login step. */
export function needsLogin(error: unknown): boolean {
  return isApiError(error) && (error.status === 401 || MORE_TO_PROVE.includes(error.code))
}

export function codeOf(error: unknown): string | null {
  return isApiError(error) ? error.code : null
}

/** Returns the server's message if it sent one, else `fallback`. */
export function messageOf(error: unknown, fallback: string): string {
  if (!isApiError(error) || error.message === '') return fallback
  // The message of a server fault does not help the user.
  return error.status >= 500 && error.code !== 'MAINTENANCE' ? fallback : error.message
}

/** The errors of single fields. Fields that wait for approval are not wrong. */
export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  return isApiError(error) && error.changeRequest === null ? error.errors : {}
}

/** The request that waits for another administrator; null for every other failure. */
export function changeRequestOf(error: unknown): ChangeSummary | null {
  return isApiError(error) ? error.changeRequest : null
}

/**
 * Tells whether the server certainly decided. After a timeout or a fault the request may have been carried out.
 */
export function isDefiniteAnswer(error: unknown): boolean {
  if (!isApiError(error)) return false
  return error.status >= 400 && error.status < 500 && ![408, 425, 429].includes(error.status)
}

/** Returns the seconds until the next attempt, if the server sent them. */
export function retryAfterOf(error: unknown): number | null {
  return isApiError(error) ? error.retryAfterSeconds : null
}
