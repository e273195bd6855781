import {
  type DeclaredFailure,
  declareFailure,
  describeFileTooLarge,
  type Endpoint,
  RECEIPT_BYTES_MAX,
  STEP_UP_REQUIRED,
} from '@cairn/gateway-contracts'
import { WAITING_FOR_APPROVAL } from './caller.ts'
import {
  createMissingPermissionFailure,
  type HttpFailure,
  NEEDS_ADMIN,
  NEEDS_INVESTOR,
} from './failure.ts'
import { needsStepUp, type Route } from './registry.ts'

/**
 * Codes of failures whose messages depend on the request. The documentation cannot list all of
 * these messages, so every message is accepted.
 */
const FREE_MESSAGE_CODES = new Set(['INVALID', 'TOO_LARGE'])

/** Codes that every call can answer. The introduction of the documentation explains them. */
const COMMON_CODES = new Set(['INTERNAL', 'OVERLOADED', 'SERVER_UNAVAILABLE'])

/**
 * Lists the failures of a route: the failures that the endpoint declares, and the failures of
 * `listCommonFailures`.
 */
export function listFailures(route: Route): readonly DeclaredFailure[] {
  const all = [...listCommonFailures(route), ...route.endpoint.failures]
  return all.toSorted((left, right) => left.status - right.status)
}

/** Lists the failures that follow from access, method, upload, idempotency and rate limit. */
export function listCommonFailures(route: Route): readonly DeclaredFailure[] {
  const { endpoint, options } = route
  const { params, query, body } = endpoint.request.shape
  return [
    ...(body === undefined && query === undefined ? [] : [INVALID]),
    ...listAccessFailures(endpoint),
    ...(needsStepUp(route) ? [STEP_UP_REQUIRED] : []),
    ...(options.findProvedUser ? [] : listCsrfFailures(endpoint)),
    ...(params === undefined ? [] : [NOT_FOUND]),
    ...(body === undefined ? [] : [endpoint.upload ? FILE_TOO_LARGE : TOO_LARGE, UNSUPPORTED_TYPE]),
    ...(endpoint.isIdempotent ? [KEY_REUSED] : []),
    TOO_MANY_REQUESTS,
    ...(options.isOpenInMaintenance ? [] : [MAINTENANCE]),
  ]
}

/** Lists the failures for callers without access. */
function listAccessFailures({ access, permission }: Endpoint): readonly DeclaredFailure[] {
  if (access === 'anyone') return []
  const isForAdmins = access !== 'user' && access !== 'investor'
  return [
    NOT_SIGNED_IN,
    ...(isForAdmins && access !== 'arriving' ? ADMIN_FACTOR_FAILURES : []),
    ...(access === 'admin' ? [NOT_ADMIN] : []),
    ...(permission === null ? [] : [PERMISSION_MISSING]),
    ...(access === 'user' || access === 'investor' ? [NOT_INVESTOR] : []),
    ...(access === 'investor' ? [NOT_APPROVED] : []),
    ...(isForAdmins ? [ADDRESS_NOT_ALLOWED] : []),
    ...(access === 'arriving' ? [] : [PASSWORD_EXPIRED]),
  ]
}

/**
 * Lists the failures of the anti-forgery check. A caller without a session has no token. For such a
 * caller, the check requires the header `X-Requested-With`.
 */
function listCsrfFailures({ method, isUnsafeGet, access }: Endpoint): readonly DeclaredFailure[] {
  if (isUnsafeGet) return [CROSS_SITE, NO_XHR]
  if (method === 'GET') return []
  return access === 'anyone' ? [CROSS_SITE, NO_XHR, NO_TOKEN] : [CROSS_SITE, NO_TOKEN]
}

const INVALID = declareFailure(400, 'INVALID', 'Enter an amount')
const NOT_SIGNED_IN = declareFailure(401, 'NOT_SIGNED_IN', 'You must login first')
const MFA_REQUIRED = declareFailure(
  401,
  'MFA_REQUIRED',
  'Please log in again with your second factor',
)
const MFA_ENROLMENT_REQUIRED = declareFailure(
  403,
  'MFA_ENROLMENT_REQUIRED',
  'Set up two-factor authentication first: this site requires it for administrators',
)
const ADMIN_FACTOR_FAILURES = [
  MFA_REQUIRED,
  MFA_ENROLMENT_REQUIRED,
  declareFailure(401, 'PASSKEY_REQUIRED', 'Please log in again with your passkey'),
  declareFailure(
    403,
    'PASSKEY_ENROLMENT_REQUIRED',
    'Add a passkey first: administrators of this site must use one',
  ),
]
const NOT_ADMIN = declareFailure(403, 'NOT_ALLOWED', NEEDS_ADMIN)
const PERMISSION_MISSING = declareFailure(
  403,
  'PERMISSION_MISSING',
  createMissingPermissionFailure('{permission}').message,
)
const NOT_INVESTOR = declareFailure(403, 'NOT_ALLOWED', NEEDS_INVESTOR)
const NOT_APPROVED = declareFailure(403, 'WAITING_FOR_APPROVAL', WAITING_FOR_APPROVAL)
const ADDRESS_NOT_ALLOWED = declareFailure(
  403,
  'ADDRESS_NOT_ALLOWED',
  'Administrators cannot work from your address {address}',
)
const PASSWORD_EXPIRED = declareFailure(
  403,
  'PASSWORD_EXPIRED',
  'Your password has expired. Choose a new password to continue.',
)
const CROSS_SITE = declareFailure(403, 'CROSS_SITE', 'Requests from other sites are not accepted')
const NO_XHR = declareFailure(403, 'CSRF', 'Send the header X-Requested-With: XMLHttpRequest')
const NO_TOKEN = declareFailure(
  403,
  'CSRF',
  'The page has expired. Please reload it and try again.',
)
const NOT_FOUND = declareFailure(404, 'NOT_FOUND', 'There is no such object')
const TOO_LARGE = declareFailure(413, 'TOO_LARGE', 'The request is too large')
const FILE_TOO_LARGE = declareFailure(413, 'TOO_LARGE', describeFileTooLarge(RECEIPT_BYTES_MAX))
const UNSUPPORTED_TYPE = declareFailure(415, 'UNSUPPORTED_TYPE', 'Send JSON or a form')
const KEY_REUSED = declareFailure(
  422,
  'KEY_REUSED',
  'This Idempotency-Key was already used for a different request',
)
const TOO_MANY_REQUESTS = declareFailure(
  429,
  'TOO_MANY_REQUESTS',
  'Too many requests. Please wait a moment.',
)
const MAINTENANCE = declareFailure(
  503,
  'MAINTENANCE',
  'The site is being maintained. Please come back in a few minutes.',
)

/**
 * Returns true if the documentation of the route lists this failure with its message. The
 * codes of `COMMON_CODES` are not listed at routes.
 */
export function isDocumented(route: Route, given: HttpFailure): boolean {
  if (COMMON_CODES.has(given.code)) return true
  return listFailures(route).some(
    ({ status, code, message }) =>
      status === given.status &&
      code === given.code &&
      (FREE_MESSAGE_CODES.has(code) || isFormedFromTemplate(message, given.message)),
  )
}

/**
 * Returns true if the message has the text of the template, with any text instead of each
 * placeholder.
 */
function isFormedFromTemplate(template: string, message: string): boolean {
  const literals = template.split(/\{\w+\}/).map((part) => RegExp.escape(part))
  return new RegExp(`^${literals.join('.+?')}$`, 's').test(message)
}
