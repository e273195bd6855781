import { MUST_LOG_IN } from './redirects.ts'

export const SESSION_ENDED = 'Your session has ended. Please log in again.'
export const PASSWORD_CHANGED = 'Your password was changed. Please log in again.'
export const CONFIRM_EMAIL = 'Log in to get a new code.'
const EMAIL_CONFIRMED = 'Your email is confirmed. You can log in now.'
export const ACCOUNT_CLOSED = 'Your account is closed and your personal data is erased.'
export const ACCOUNT_READY = 'Your account is ready. You can log in now.'

const GOOD_NEWS = [PASSWORD_CHANGED, EMAIL_CONFIRMED, ACCOUNT_READY, ACCOUNT_CLOSED]
const KNOWN = [MUST_LOG_IN, SESSION_ENDED, CONFIRM_EMAIL, ...GOOD_NEWS]

export function isSuccessMessage(message: string): boolean {
  return GOOD_NEWS.includes(message)
}

/**
 * Returns the message if it is in the list of known messages, otherwise null. A link can therefore
 * not put a text of its own above the form.
 */
export function findLoginMessage(message: string | null): string | null {
  return KNOWN.find((known) => known === message) ?? null
}
