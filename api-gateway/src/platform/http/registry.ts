import type { Readable } from 'node:stream'
import type {
  AuditAction,
  Endpoint,
  ParsedRequestOf,
  RecordedField,
  ResponseOf,
} from '@cairn/gateway-contracts'
import type { Context } from 'koa'
import type { Caller } from './caller.ts'
import type { ReceivedFile } from './multipart.ts'
import type { RateClass } from './rate-limit.ts'

/** The ids of the changed object and of the actor, if the route does not determine them. */
interface AuditParties {
  subject?: string
  actor?: string
}

/** Details of an audit row. Each field of the details has a label on the page of the audit log. */
type Labelled<Details> = Details extends readonly unknown[] | Date | bigint | string
  ? Details
  : {
      [Name in keyof Details]: Name extends keyof AuditParties
        ? AuditParties[Name]
        : Name extends 'before' | 'after'
          ? Labelled<Details[Name]>
          : Name extends RecordedField
            ? Details[Name]
            : never
    }

export type AuditDetails = AuditParties & Readonly<Record<string, unknown>>

/** The data and functions that a handler receives in addition to the parsed request. */
export interface Exchange {
  ctx: Context
  /** The signed-in user. It is set if the access of the endpoint requires a user. */
  caller: Caller | null
  requestId: string
  ip: string
  nowMs: number
  file: ReceivedFile | null
  /** The Idempotency-Key of the request, if the endpoint accepts such a key. */
  key: string | null
  /**
   * The id of the object that this request creates. A repetition with the same key gets the same
   * id.
   */
  subjectId: string
  /** True if an earlier request had the same key and content. Its answer is not stored. */
  isRepetition: boolean
  /** Adds details to the audit row of the result. Personal data and secrets are not allowed. */
  note<Details extends object>(details: Details & Labelled<Details>): void
  /**
   * Records the attempt before a handler changes something for a caller without a session, such as
   * in a login. For administrators, the attempt is always recorded before the handler runs.
   */
  attempt<Details extends object>(details: Details & Labelled<Details>): Promise<void>
}

export interface FileAnswer {
  mediaType: string
  bytes: Buffer | Readable
  fileName: string
  /** True if the browser must save the file and must not display it. */
  isDownload?: true
}

export interface StreamAnswer {
  messages: Readable
}

/**
 * The rule for the objects that a caller can access. The access of the endpoint is a separate
 * condition.
 */
export type OwnerRule = 'own' | 'any' | 'own-or-admin'

export interface RouteOptions {
  rate: RateClass
  owner: OwnerRule
  /** The audit action; null for endpoints that change nothing. */
  audit: AuditAction | null
  /**
   * True if the endpoint requires a recent step-up. By default, only administrators' writes require
   * a step-up.
   */
  needsFreshFactor?: boolean
  /** True for the background requests of pages. Such requests do not extend the session. */
  isNoUse?: true
  /**
   * Returns the user whom a token of the gateway in the request names; null if the token is invalid.
   * Such a token proves that the request is intended. The session does not matter for the endpoint,
   * programs that are not a page of the site may call it, and its requests are limited by user.
   */
  findProvedUser?(ctx: Context): string | null
  /** True for endpoints that stream all rows of a list. A caller has few of them at a time. */
  isExport?: true
  /** True for endpoints that also work during maintenance, such as the login. */
  isOpenInMaintenance?: true
}

export interface Route {
  endpoint: Endpoint
  options: RouteOptions
  handle(request: unknown, exchange: Exchange): Promise<unknown>
}

/**
 * Returns true if the endpoint requires a recent step-up. By default, only administrators' writes
 * require a step-up.
 */
export function needsStepUp({ endpoint, options }: Route): boolean {
  const isAdminWrite = endpoint.access === 'admin' && endpoint.method !== 'GET'
  return options.needsFreshFactor ?? isAdminWrite
}

/**
 * Creates an endpoint that answers with the envelope. For a file or a stream, use `createFileRoute`
 * or `createStreamRoute`.
 */
export function declareRoute<E extends Endpoint>(
  endpoint: E,
  options: RouteOptions,
  handle: (request: ParsedRequestOf<E>, exchange: Exchange) => Promise<ResponseOf<E>>,
): Route {
  return {
    endpoint,
    options,
    // The cast is safe because the pipeline has parsed the request with this endpoint's schema.
    handle: (request, exchange) => handle(request as ParsedRequestOf<E>, exchange),
  }
}

/** Creates an endpoint that answers with a file instead of the envelope. */
export function createFileRoute<E extends Endpoint>(
  endpoint: E,
  options: RouteOptions,
  handle: (request: ParsedRequestOf<E>, exchange: Exchange) => Promise<FileAnswer>,
): Route {
  return {
    endpoint,
    options,
    // The cast is safe because the pipeline has parsed the request with this endpoint's schema.
    handle: (request, exchange) => handle(request as ParsedRequestOf<E>, exchange),
  }
}

/** Creates an endpoint that sends events until the client or the server closes the connection. */
export function createStreamRoute<E extends Endpoint>(
  endpoint: E,
  options: RouteOptions,
  handle: (request: ParsedRequestOf<E>, exchange: Exchange) => Promise<StreamAnswer>,
): Route {
  return {
    endpoint,
    options,
    // The cast is safe because the pipeline has parsed the request with this endpoint's schema.
    handle: (request, exchange) => handle(request as ParsedRequestOf<E>, exchange),
  }
}

/**
 * Returns the signed-in user. Throws if no user is signed in. Use this function only in endpoints
 * that require a user.
 */
export function getCaller(exchange: Exchange): Caller {
  if (exchange.caller === null) throw new Error('this call has no caller')
  return exchange.caller
}
