import { z } from 'zod'
import type { DeclaredFailure } from './failures.ts'

/**
 * Who may call: `anyone`; `arriving` = whoever has proved a password, also while a second factor or a
 * new password is still missing; `session` = any signed-in person; `user` = an investor, also one who
 * still waits for approval; `investor` = an approved investor; `admin`.
 */
export type Access = 'anyone' | 'arriving' | 'session' | 'user' | 'investor' | 'admin'

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export interface Upload {
  /** The form field that carries the file. */
  field: string
}

export interface Endpoint<
  Request extends z.ZodObject = z.ZodObject,
  Response extends z.ZodType = z.ZodType,
> {
  method: Method
  /** Below `/api/v1`, with `:name` for parameters. */
  path: string
  access: Access
  /** An object of `params`, `query` and `body`, each only where the call has it. */
  request: Request
  status: 200 | 201 | 204
  /** What stands under `data` of the envelope; `NoContent` where there is none. */
  response: Response
  /** Set where a file may come along; such a call is then sent as multipart. */
  upload: Upload | null
  /** True where an `Idempotency-Key` makes a repeated request safe. */
  isIdempotent: boolean
  /** A GET that changes something: it needs the XMLHttpRequest header. */
  isUnsafeGet: boolean
  /** `file` answers the bytes themselves, without an envelope; `stream` server-sent events. */
  answers: 'envelope' | 'file' | 'stream'
  /** How wrong fields are named: a list of one-field objects, or one map of leaf names. */
  errors: 'list' | 'map'
  /** What it is answered with beside success and what follows from the rest of this declaration. */
  failures: readonly DeclaredFailure[]
}

export const NoContent = z.null()
export const noRequest = z.strictObject({})

type Optional =
  | 'request'
  | 'status'
  | 'upload'
  | 'isIdempotent'
  | 'isUnsafeGet'
  | 'answers'
  | 'errors'
  | 'failures'

export function endpoint<
  Response extends z.ZodType,
  Request extends z.ZodObject = typeof noRequest,
>(
  spec: Omit<Endpoint<Request, Response>, Optional> &
    Partial<Pick<Endpoint<Request, Response>, Optional>>,
): Endpoint<Request, Response> {
  return {
    status: 200,
    upload: null,
    isIdempotent: false,
    isUnsafeGet: false,
    answers: 'envelope',
    errors: 'list',
    failures: [],
    // Without a request schema the type parameter is the empty one by its default.
    request: noRequest as unknown as Request,
    ...spec,
  }
}

/** A list as a file of comma-separated values: the same filter, and no pages. */
export function csvEndpoint<Request extends z.ZodObject = typeof noRequest>(
  spec: Pick<Endpoint<Request>, 'path' | 'access'> &
    Partial<Pick<Endpoint<Request>, 'request' | 'failures'>>,
): Endpoint<Request, z.ZodNull> {
  return endpoint({ method: 'GET', response: z.null(), answers: 'file', ...spec })
}

/** What a caller passes to an endpoint. */
export type RequestOf<E extends Endpoint> = z.input<E['request']>
/** What a handler receives: parsed and with its defaults. */
export type ParsedRequestOf<E extends Endpoint> = z.output<E['request']>
/** What stands under `data`. */
export type ResponseOf<E extends Endpoint> = z.output<E['response']>
