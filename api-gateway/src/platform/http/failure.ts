import type { FieldError, Permission } from '@cairn/gateway-contracts'
import { LedgerUnreachable } from '@cairn/ledger-contracts'
import type { z } from 'zod'

/** A refused request with the message and the code for its caller. */
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

export const createNotSignedIn = () => new HttpFailure(401, 'NOT_SIGNED_IN', 'You must login first')
/** The message says which role the caller lacks. */
export const NEEDS_ADMIN = 'Only an administrator can do this'
export const NEEDS_INVESTOR = 'Only an investor can do this: administrators have no wallet'
export const createNotAllowed = (message: typeof NEEDS_ADMIN | typeof NEEDS_INVESTOR) =>
  new HttpFailure(403, 'NOT_ALLOWED', message)
export const createMissingPermission = (permission: Permission | '{permission}') =>
  new HttpFailure(
    403,
    'PERMISSION_MISSING',
    `Your roles do not include the permission ${permission}. An owner can change your roles.`,
  )
export const createNotFound = (what = 'There is no such page') =>
  new HttpFailure(404, 'NOT_FOUND', what)
export const createTooManyRequests = (retryAfterSeconds: number) =>
  new HttpFailure(429, 'TOO_MANY_REQUESTS', 'Too many requests. Please wait a moment.', {
    retryAfterSeconds,
  })
export const createKeyReused = () =>
  new HttpFailure(
    422,
    'KEY_REUSED',
    'This Idempotency-Key was already used for a different request',
  )

export const createLedgerUnavailable = () =>
  new HttpFailure(
    503,
    'LEDGER_UNAVAILABLE',
    'The ledger cannot be reached. Please try again in a moment.',
    { retryAfterSeconds: 2 },
  )

/** The failure that a caller sees. The details of a bug are in the log only. */
export function toHttpFailure(error: unknown): HttpFailure {
  if (error instanceof HttpFailure) return error
  if (error instanceof LedgerUnreachable) return createLedgerUnavailable()
  return new HttpFailure(500, 'INTERNAL', 'Something went very wrong!')
}

/** A 400 for one invalid field of a form. */
export function createInvalidField(field: string, message: string): HttpFailure {
  return new HttpFailure(400, 'INVALID', message, { errors: [{ [field]: message }] })
}

/** Reports the first message of each field, in the order of the schema. */
export function createInvalidRequest(error: z.ZodError, shape: 'list' | 'map'): HttpFailure {
  // A malformed id is answered like an unknown id.
  if (error.issues.some(({ path: [part] }) => part === 'params'))
    return createNotFound('There is no such object')
  const fields = new Map<string, string>()
  for (const issue of error.issues) {
    // The first element is `params`, `query` or `body`, which forms do not know.
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
 * The first message as a sentence. A message such as `must be a date` gets its field name, because
 * no field is next to it.
 */
function getFirstSentence(fields: ReadonlyMap<string, string>): string {
  const [[field, message] = ['', 'The request is not valid']] = fields
  return /^(?:must|is|cannot) /.test(message) ? `${field} ${message}` : message
}

/** `ipWhitelist` for `security.ipWhitelist.3`: the field name that a page shows. */
function getLeafName(path: string): string {
  const names = path.split('.').filter((name) => !/^\d+$/.test(name))
  return names.at(-1) ?? ''
}

/** The JSON body of a failure; `status` is `error` if the server is at fault. */
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
