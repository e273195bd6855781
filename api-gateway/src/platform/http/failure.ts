import { type FieldError, MONEY_REQUESTS_USED, type Permission } from '@cairn/gateway-contracts'
import { LedgerQueryRefused, LedgerUnreachable } from '@cairn/ledger-contracts'
import type { z } from 'zod'
import { FurtherLedgerUnreachable } from '../ledger-client/further-ledger-unreachable.ts'
import { isUnavailable } from './unavailable.ts'

/** A refused request, with the message and the code for the caller. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure'
  readonly status: number
  readonly code: string
  readonly errors: readonly FieldError[] | FieldError | null
  readonly retryAfterSeconds: number | null
  readonly details: Record<string, unknown> | null
  readonly data: Record<string, unknown> | null

  constructor(
    status: number,
    code: string,
    message: string,
    extra: {
      errors?: readonly FieldError[] | FieldError
      retryAfterSeconds?: number
      details?: Record<string, unknown>
      data?: Record<string, unknown>
      cause?: unknown
    } = {},
  ) {
    super(message, { cause: extra.cause })
    this.status = status
    this.code = code
    this.errors = extra.errors ?? null
    this.retryAfterSeconds = extra.retryAfterSeconds ?? null
    this.details = extra.details ?? null
    this.data = extra.data ?? null
  }
}

export const createNotSignedInFailure = () =>
  new HttpFailure(401, 'NOT_SIGNED_IN', 'You must login first')
/** The messages of `createNotAllowedFailure`, one for each role that a caller can lack. */
export const NEEDS_ADMIN = 'Only an administrator can do this'
export const NEEDS_INVESTOR = 'Only an investor can do this: administrators have no wallet'
export const createNotAllowedFailure = (message: typeof NEEDS_ADMIN | typeof NEEDS_INVESTOR) =>
  new HttpFailure(403, 'NOT_ALLOWED', message)
export const createMissingPermissionFailure = (permission: Permission | '{permission}') =>
  new HttpFailure(
    403,
    'PERMISSION_MISSING',
    `Your roles do not include the permission ${permission}. An owner can change your roles.`,
  )
export const createNotFoundFailure = (what = 'There is no such page') =>
  new HttpFailure(404, 'NOT_FOUND', what)
export const createTooManyRequestsFailure = (retryAfterSeconds: number) =>
  new HttpFailure(429, 'TOO_MANY_REQUESTS', 'Too many requests. Please wait a moment.', {
    retryAfterSeconds,
  })
/** `nextMs` is the time from which the investor can make another request. */
export const createMoneyRequestsFailure = (nextMs: number) => {
  const { status, code, message } = MONEY_REQUESTS_USED
  const time = new Date(nextMs).toISOString().slice(0, 16).replace('T', ' ')
  return new HttpFailure(status, code, message.replace('{time}', time), {
    retryAfterSeconds: Math.max(1, Math.ceil((nextMs - Date.now()) / 1_000)),
  })
}
/** The seconds to wait after an overload. */
export const OVERLOAD_SECONDS = 1
export const createOverloadedFailure = () =>
  new HttpFailure(429, 'OVERLOADED', 'The platform is busy. Please try again.', {
    retryAfterSeconds: OVERLOAD_SECONDS,
  })
export const createKeyReusedFailure = () =>
  new HttpFailure(
    422,
    'KEY_REUSED',
    'This Idempotency-Key was already used for a different request',
  )

/** `name` says which ledger of the site it is, if it is not the first one. */
export const createLedgerUnavailableFailure = (name = 'The ledger') =>
  new HttpFailure(
    503,
    'LEDGER_UNAVAILABLE',
    `${name} cannot be reached. Please try again in a moment.`,
    { retryAfterSeconds: 2 },
  )

/** For each call whose database, or another server behind the gateway, cannot answer for now. */
const createServerUnavailableFailure = () =>
  new HttpFailure(
    503,
    'SERVER_UNAVAILABLE',
    'A server of this site cannot answer. Please try again in a moment.',
    { retryAfterSeconds: 5 },
  )

/** Converts an error to the failure that the caller sees. Details of a bug are only logged. */
export function toHttpFailure(error: unknown): HttpFailure {
  if (error instanceof HttpFailure) return error
  if (error instanceof FurtherLedgerUnreachable) {
    return createLedgerUnavailableFailure(`Ledger ${error.ledger}`)
  }
  if (error instanceof LedgerUnreachable) return createLedgerUnavailableFailure()
  if (error instanceof LedgerQueryRefused) {
    return new HttpFailure(500, 'INTERNAL', 'The ledger does not accept a query of this server')
  }
  if (isUnavailable(error)) return createServerUnavailableFailure()
  return new HttpFailure(500, 'INTERNAL', 'Something went very wrong!')
}

/** Creates a 400 failure for one invalid field. */
export function createInvalidFieldFailure(field: string, message: string): HttpFailure {
  return new HttpFailure(400, 'INVALID', message, { errors: [{ [field]: message }] })
}

/** Creates a 400 failure with the first message of each field, in the order of the schema. */
export function createInvalidRequestFailure(error: z.ZodError, shape: 'list' | 'map'): HttpFailure {
  // A malformed id and an unknown id get equal answers.
  if (error.issues.some(({ path: [part] }) => part === 'params'))
    return createNotFoundFailure('There is no such object')
  const fields = new Map<string, string>()
  for (const issue of error.issues) {
    // The first part of the path is `params`, `query` or `body`. The names of form fields do not
    // contain this part.
    const path = issue.path.slice(1).join('.')
    const name = shape === 'map' ? getLeafName(path) : path
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [name === '' ? 'body' : name]
    for (const name of names) if (!fields.has(name)) fields.set(name, issue.message)
  }
  const list = [...fields].map(([field, message]) => ({ [field]: message }))
  const errors = shape === 'map' ? Object.fromEntries(fields) : list
  return new HttpFailure(400, 'INVALID', getFirstSentence(fields), { errors })
}

/**
 * Returns the first message as a sentence. A message such as `must be a date` gets the name of its
 * field in front, because pages show the sentence without the field.
 */
function getFirstSentence(fields: ReadonlyMap<string, string>): string {
  const [[field, message] = ['', 'The request is not valid']] = fields
  return /^(?:must|is|cannot) /.test(message) ? `${field} ${message}` : message
}

/** Returns the field name that a page shows, such as `ipWhitelist` for `security.ipWhitelist.3`. */
function getLeafName(path: string): string {
  const names = path.split('.').filter((name) => !/^\d+$/.test(name))
  return names.at(-1) ?? ''
}

/** Returns the JSON body of a failure. `status` is `error` for a failure of the server. */
export function toFailureBody(failure: HttpFailure, requestId: string): string {
  return JSON.stringify({
    status: failure.status >= 500 ? 'error' : 'fail',
    message: failure.message,
    code: failure.code,
    ...(failure.errors === null ? {} : { errors: failure.errors }),
    ...(failure.retryAfterSeconds === null ? {} : { retryAfter: failure.retryAfterSeconds }),
    ...(failure.details === null ? {} : { details: failure.details }),
    ...(failure.data === null ? {} : { data: failure.data }),
    requestId,
  })
}
