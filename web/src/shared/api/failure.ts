import type { ApiError } from '@cairn/gateway-contracts'

/** By its name, because importing the class brings all schemas into the smallest page. */
function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === 'ApiError'
}

const MORE_TO_PROVE = ['PASSWORD_EXPIRED', 'MFA_ENROLMENT_REQUIRED']

/** True where nothing more can be read until somebody has logged in, or proved more, once again. */
export function needsLogin(error: unknown): boolean {
  return isApiError(error) && (error.status === 401 || MORE_TO_PROVE.includes(error.code))
}

export function codeOf(error: unknown): string | null {
  return isApiError(error) ? error.code : null
}

/** The server's sentence where it sent one, else the page's own. */
export function messageOf(error: unknown, fallback: string): string {
  if (!isApiError(error) || error.message === '') return fallback
  // A server that broke has nothing to say to the reader.
  return error.status >= 500 && error.code !== 'MAINTENANCE' ? fallback : error.message
}

export function fieldErrorsOf(error: unknown): Readonly<Record<string, string>> {
  return isApiError(error) ? error.errors : {}
}

/** True when the server certainly decided; a timeout or a fault may hide a request that was carried out. */
export function isDefiniteAnswer(error: unknown): boolean {
  if (!isApiError(error)) return false
  return error.status >= 400 && error.status < 500 && ![408, 425, 429].includes(error.status)
}

/** Seconds until the next try, where the server named them. */
export function retryAfterOf(error: unknown): number | null {
  return isApiError(error) ? error.retryAfterSeconds : null
}
