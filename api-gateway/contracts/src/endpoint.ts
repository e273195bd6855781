import { z } from 'zod'
import type { DeclaredFailure } from './failures.ts'
import type { Permission } from './permissions.ts'

/**
 * The callers that an endpoint accepts. `anyone`; `arriving`: a user with a correct password, even
 * before the second factor or a required new password; `session`: any signed-in user; `user`: an
 * investor, approved or not; `investor`: an approved investor; `admin`: an administrator with the
 * permission of the endpoint.
 */
export type Access = 'anyone' | 'arriving' | 'session' | 'user' | 'investor' | 'admin'

type OpenAccess = Exclude<Access, 'admin'>

/** The access of an endpoint, and the permission that an administrator needs for it. */
type AccessRule =
  | { access: 'admin'; permission: Permission }
  | { access: OpenAccess; permission: Permission | null }

/**
 * The declared access of an endpoint. An endpoint for administrators declares only a permission. An
 * endpoint for all users may add the permission that its callers need if they are administrators.
 */
type DeclaredAccess =
  | { access?: never; permission: Permission }
  | { access: OpenAccess; permission?: Permission }

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'

export interface Upload {
  /** The form field that contains the file. */
  field: string
}

export type Endpoint<
  Request extends z.ZodObject = z.ZodObject,
  Response extends z.ZodType = z.ZodType,
> = EndpointShape<Request, Response> & AccessRule

interface EndpointShape<Request extends z.ZodObject, Response extends z.ZodType> {
  method: Method
  /** The path below `/api/v1`, with `:name` for parameters. */
  path: string
  /**
   * The schema of the request: an object with `params`, `query` and `body`. A part that the
   * endpoint does not use is missing.
   */
  request: Request
  status: 200 | 201 | 204
  /** The schema of `data` in the envelope. It is `NoContent` if the answer has no data. */
  response: Response
  /** Set if the endpoint accepts a file; a request with a file is sent as multipart/form-data. */
  upload: Upload | null
  /** True if an `Idempotency-Key` makes a repeated request safe. */
  isIdempotent: boolean
  /**
   * True for a GET that changes state. Such a GET requires the header `X-Requested-With:
   * XMLHttpRequest`.
   */
  isUnsafeGet: boolean
  /** `file` returns raw bytes without an envelope; `stream` returns server-sent events. */
  answers: 'envelope' | 'file' | 'stream'
  /** The media types of the answer if `answers` is `file`. */
  fileTypes: readonly string[]
  /**
   * The format of field errors. `list`: one object for each field. `map`: one object for all
   * fields, in which each key is a field name without its path.
   */
  errors: 'list' | 'map'
  /**
   * The failures of this endpoint, except failures that follow from its declaration, such as 401.
   */
  failures: readonly DeclaredFailure[]
}

/** The media types of an uploaded image, and of an uploaded document. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg'] as const
export const DOCUMENT_TYPES = [...IMAGE_TYPES, 'application/pdf'] as const
export const JSON_LINES = ['application/x-ndjson'] as const

export const NoContent = z.null()
export const noRequest = z.strictObject({})

type Optional =
  | 'request'
  | 'status'
  | 'upload'
  | 'isIdempotent'
  | 'isUnsafeGet'
  | 'answers'
  | 'fileTypes'
  | 'errors'
  | 'failures'

export function declareEndpoint<
  Response extends z.ZodType,
  Request extends z.ZodObject = typeof noRequest,
>(
  spec: Omit<EndpointShape<Request, Response>, Optional> &
    Partial<Pick<EndpointShape<Request, Response>, Optional>> &
    DeclaredAccess,
): Endpoint<Request, Response> {
  return {
    status: 200,
    upload: null,
    isIdempotent: false,
    isUnsafeGet: false,
    answers: 'envelope',
    fileTypes: [],
    errors: 'list',
    failures: [],
    // Without a request schema, `Request` has its default type, `typeof noRequest`.
    request: noRequest as unknown as Request,
    ...spec,
    ...toAccessRule(spec),
  }
}

function toAccessRule({ access, permission }: DeclaredAccess): AccessRule {
  return access === undefined
    ? { access: 'admin', permission }
    : { access, permission: permission ?? null }
}

/**
 * Declares the CSV export of a list. The export takes the filter of the list and contains all rows,
 * without pages.
 */
export function declareCsvEndpoint<Request extends z.ZodObject = typeof noRequest>(
  spec: Pick<EndpointShape<Request, z.ZodNull>, 'path'> &
    Partial<Pick<EndpointShape<Request, z.ZodNull>, 'request' | 'failures'>> &
    DeclaredAccess,
): Endpoint<Request, z.ZodNull> {
  const answer = { response: z.null(), answers: 'file', fileTypes: ['text/csv'] } as const
  return declareEndpoint({ method: 'GET', ...answer, ...spec })
}

/** The request before parsing, as a client passes it. */
export type RequestOf<E extends Endpoint> = z.input<E['request']>
/** The request after parsing, with defaults, as a handler receives it. */
export type ParsedRequestOf<E extends Endpoint> = z.output<E['request']>
/** The content of `data` in the envelope. */
export type ResponseOf<E extends Endpoint> = z.output<E['response']>
