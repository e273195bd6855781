/** A refusal or failure that a call can give. `{…}` in its sentence stands for what differs each time. */
export interface DeclaredFailure {
  status: number
  code: string
  message: string
}

export function failure(status: number, code: string, message: string): DeclaredFailure {
  return { status, code, message }
}

export const noSuch = (what: string) => failure(404, 'NOT_FOUND', `There is no such ${what}`)
export const decidedAlready = (message: string) => failure(409, 'TRANSACTION_DECIDED', message)
export const secondNeeded = (message: string) => failure(409, 'SECOND_APPROVER_NEEDED', message)
export const statusConflict = (message: string) => failure(409, 'STATUS_CONFLICT', message)
export const tooLittle = (message: string) => failure(422, 'INSUFFICIENT_FUNDS', message)

/** Of every call that asks the ledger something. */
export const LEDGER_ASKED = [
  failure(503, 'LEDGER_UNAVAILABLE', 'The ledger cannot be reached. Please try again in a moment.'),
] as const

/** Of every call that has something decided by the ledger. */
export const LEDGER_TOLD = [
  ...LEDGER_ASKED,
  failure(429, 'OVERLOADED', 'The platform is busy. Please try again.'),
] as const

/** Of an investor whom the ledger does not let act. */
export const ACCOUNT_HELD = failure(
  403,
  'INVESTOR_NOT_ACTIVE',
  'Your account cannot do this at the moment',
)

/** Of every call that looks at a password or makes one. */
export const HASHING = failure(429, 'BUSY', 'Too many people are logging in. Please try again.')
/** Of every call that asks for the current password. */
export const PASSWORD_TRIES = [
  failure(429, 'LOGIN_DELAYED', 'Too many failed logins. Please wait {wait}.'),
  failure(429, 'LOGIN_LOCKED', 'Too many failed logins. Ask for a new password to log in again.'),
  HASHING,
] as const

/** Of every call that asks for a code of the second factor. */
export const FACTOR_TRIES = [
  failure(400, 'MFA_CODE_WRONG', 'That code is not right'),
  failure(409, 'MFA_NOT_SET_UP', 'Set up the second factor first'),
  failure(429, 'MFA_DELAYED', 'Too many wrong codes. Please wait {minutes} min.'),
] as const

/** Of every call that takes a picture. */
export const PICTURE = failure(415, 'NOT_AN_IMAGE', 'The file must be a PNG or JPG image')

/** Of whoever has proved the password of an account that is not open to him. */
export const NOT_LET_IN = [
  failure(403, 'ACCOUNT_DEACTIVATED', 'Your account is deactivated'),
  failure(403, 'ACCOUNT_DENIED', 'Your account was not approved'),
  failure(
    403,
    'PASSWORD_RESET_REQUIRED',
    'An administrator asked you to set a new password. We have sent you a link.',
  ),
  failure(403, 'ADDRESS_NOT_ALLOWED', 'Administrators cannot work from your address {address}'),
  failure(503, 'MAINTENANCE', 'The site is being maintained. Please come back in a few minutes.'),
] as const
