/**
 * A refusal or failure that an endpoint can return. `{…}` in its message is a placeholder for a
 * value.
 */
export interface DeclaredFailure {
  status: number
  code: string
  message: string
}

export function declareFailure(status: number, code: string, message: string): DeclaredFailure {
  return { status, code, message }
}

export const declareNotFound = (what: string) =>
  declareFailure(404, 'NOT_FOUND', `There is no such ${what}`)
export const declareAlreadyDecided = (message: string) =>
  declareFailure(409, 'TRANSACTION_DECIDED', message)
export const declareStatusConflict = (message: string) =>
  declareFailure(409, 'STATUS_CONFLICT', message)
export const declareInsufficientFunds = (message: string) =>
  declareFailure(422, 'INSUFFICIENT_FUNDS', message)

/** Failures of every endpoint that queries the ledger. */
export const LEDGER_QUERY_FAILURES = [
  declareFailure(
    503,
    'LEDGER_UNAVAILABLE',
    'The ledger cannot be reached. Please try again in a moment.',
  ),
] as const

/** Failures of every endpoint that sends a command to the ledger. */
export const LEDGER_COMMAND_FAILURES = [
  ...LEDGER_QUERY_FAILURES,
  declareFailure(429, 'OVERLOADED', 'The platform is busy. Please try again.'),
] as const

/** Maximum number of deposits, withdrawals and investments that an investor requests in a day. */
export const MONEY_REQUESTS_PER_DAY = 200

/** Failure of every endpoint with which an investor moves money. */
export const MONEY_REQUESTS_USED = declareFailure(
  429,
  'TOO_MANY_REQUESTS',
  `You have made ${MONEY_REQUESTS_PER_DAY} requests in a day, which is the limit. The next one is possible from {time} UTC.`,
)

/** The refusal for an investor whose account is not active in the ledger. */
export const INVESTOR_NOT_ACTIVE = declareFailure(
  403,
  'INVESTOR_NOT_ACTIVE',
  'Your account cannot do this at the moment',
)

/** Failure of every endpoint that hashes or checks a password. */
export const HASHING_BUSY = declareFailure(
  429,
  'BUSY',
  'Too many people are logging in. Please try again.',
)
/** Failures of every endpoint that asks for the current password. */
export const PASSWORD_FAILURES = [
  declareFailure(429, 'LOGIN_DELAYED', 'Too many failed logins. Please wait {wait}.'),
  declareFailure(
    429,
    'LOGIN_LOCKED',
    'Too many failed logins. Reset your password to log in again.',
  ),
  HASHING_BUSY,
] as const

/** Failures of every endpoint that asks for a code of the second factor. */
export const MFA_FAILURES = [
  declareFailure(400, 'MFA_CODE_WRONG', 'That code is not right'),
  declareFailure(409, 'MFA_NOT_SET_UP', 'Set up the second factor first'),
  declareFailure(429, 'MFA_DELAYED', 'Too many wrong codes. Please wait {minutes} min.'),
  declareFailure(
    429,
    'MFA_PAUSED',
    'Too many wrong codes today. Codes are accepted again from {day} (UTC). Until then, use another second factor.',
  ),
] as const

export const STEP_UP_REQUIRED = declareFailure(
  403,
  'STEP_UP_REQUIRED',
  'Please confirm with your second factor',
)

/** Failures of every endpoint that adds a second factor. */
export const FRESH_PROOF_FAILURES = [
  declareFailure(403, 'PASSWORD_NEEDED', 'Please enter your password'),
  STEP_UP_REQUIRED,
  ...PASSWORD_FAILURES,
] as const

const NOT_AN_IMAGE = declareFailure(415, 'NOT_AN_IMAGE', 'The file must be a PNG or JPG image')

const IMAGES_BUSY = declareFailure(
  503,
  'IMAGES_BUSY',
  'Many images are being checked. Please try again in a moment.',
)

/** The failure of every endpoint that returns an uploaded file. */
export const FILE_CHANGED = declareFailure(
  500,
  'FILE_CHANGED',
  'The stored file is not the one that was uploaded. Do not rely on it, and tell the operator.',
)

/** Failures of every endpoint that takes an image. */
export const IMAGE_FAILURES = [NOT_AN_IMAGE, IMAGES_BUSY] as const

/** Failures of every endpoint that takes an image or a PDF. */
export const DOCUMENT_FAILURES = [
  declareFailure(415, 'NOT_A_DOCUMENT', 'The file must be a PNG or JPG image or a PDF document'),
  IMAGES_BUSY,
] as const

/**
 * The failures of a login with a correct password, if the state of the account forbids the login.
 */
export const LOGIN_REFUSALS = [
  declareFailure(403, 'ACCOUNT_DEACTIVATED', 'Your account is deactivated'),
  declareFailure(403, 'ACCOUNT_DENIED', 'Your account was not approved'),
  declareFailure(
    403,
    'PASSWORD_RESET_REQUIRED',
    'An administrator asked you to set a new password. We have sent you a link.',
  ),
  declareFailure(
    403,
    'ADDRESS_NOT_ALLOWED',
    'Administrators cannot work from your address {address}',
  ),
  declareFailure(
    503,
    'MAINTENANCE',
    'The site is being maintained. Please come back in a few minutes.',
  ),
] as const
