export const MUST_LOG_IN = 'You must login first'
export const SESSION_ENDED = 'Your session has ended. Please log in again.'
export const PASSWORD_CHANGED = 'Your password was changed. Please log in again.'
export const CONFIRM_EMAIL = 'Log in to get a new code.'
export const EMAIL_CONFIRMED = 'Your e-mail is confirmed. You can log in now.'

const KNOWN = [MUST_LOG_IN, SESSION_ENDED, PASSWORD_CHANGED, CONFIRM_EMAIL, EMAIL_CONFIRMED]

/** A link could otherwise put any sentence, in red, above the form. */
export function knownLoginMessage(message: string | null): string | null {
  return KNOWN.find((known) => known === message) ?? null
}
