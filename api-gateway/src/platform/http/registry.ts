import type { Readable } from 'node:stream'
import type { Endpoint, ParsedRequestOf, ResponseOf } from '@cairn/gateway-contracts'
import type { Context } from 'koa'
import type { Caller } from './caller.ts'
import type { ReceivedFile } from './multipart.ts'
import type { RateClass } from './rate-limit.ts'

export interface AuditDetails {
  subject?: string
  actor?: string
  [name: string]: unknown
}

/** What a handler receives in addition to the parsed request. */
export interface Exchange {
  ctx: Context
  /** Set if the access of the endpoint requires a user. */
  caller: Caller | null
  requestId: string
  ip: string
  nowMs: number
  file: ReceivedFile | null
  /** The Idempotency-Key, if the endpoint accepts one. */
  key: string | null
  /**
   * The id of the object that this request creates; a repetition with the same key has the same id.
   */
  subjectId: string
  /** Adds details to the audit row of the result. Never personal data or secrets. */
  note(details: AuditDetails): void
  /**
   * Records the attempt before an act of a caller without a session, such as a login. For
   * administrators it is recorded before the handler runs.
   */
  attempt(details: AuditDetails): Promise<void>
}

export interface FileAnswer {
  mediaType: string
  bytes: Buffer | Readable
  fileName: string
  /** True: the browser saves the file instead of displaying it. */
  isDownload?: true
}

export interface StreamAnswer {
  messages: Readable
}

/** Who may access one object of a kind, in addition to the access of the endpoint. */
export type OwnerRule = 'own' | 'any' | 'own-or-admin'

export interface RouteOptions {
  rate: RateClass
  owner: OwnerRule
  /** The audit action, or null for endpoints that change nothing. */
  audit: string | null
  /**
   * Whether the endpoint requires a recent step-up. Omitted: administrators' writes do, and nothing
   * else does.
   */
  needsFreshFactor?: boolean
  /** True for background requests of pages, which do not extend the session. */
  isNoUse?: true
  /** True for the endpoints with which an administrator logs in during maintenance. */
  isOpenInMaintenance?: true
}

export interface Route {
  endpoint: Endpoint
  options: RouteOptions
  handle(request: unknown, exchange: Exchange): Promise<unknown>
}

/** True if the endpoint requires a recent step-up. A new administrators' write does by default. */
export function needsStepUp({ endpoint, options }: Route): boolean {
  const isAdminWrite = endpoint.access === 'admin' && endpoint.method !== 'GET'
  return options.needsFreshFactor ?? isAdminWrite
}

/** All endpoints of the gateway are created by this function, `fileRoute` or `streamRoute`. */
export function route<E extends Endpoint>(
  endpoint: E,
  options: RouteOptions,
  handle: (request: ParsedRequestOf<E>, exchange: Exchange) => Promise<ResponseOf<E>>,
): Route {
  return {
    endpoint,
    options,
    // The pipeline parses the request with the schema of this endpoint before the call.
    handle: (request, exchange) => handle(request as ParsedRequestOf<E>, exchange),
  }
}

/** An endpoint that answers with bytes instead of the envelope. */
export function createFileRoute<E extends Endpoint>(
  endpoint: E,
  options: RouteOptions,
  handle: (request: ParsedRequestOf<E>, exchange: Exchange) => Promise<FileAnswer>,
): Route {
  return {
    endpoint,
    options,
    // The pipeline parses the request with the schema of this endpoint before the call.
    handle: (request, exchange) => handle(request as ParsedRequestOf<E>, exchange),
  }
}

/** An endpoint with server-sent events, open until one side closes it. */
export function createStreamRoute<E extends Endpoint>(
  endpoint: E,
  options: RouteOptions,
  handle: (request: ParsedRequestOf<E>, exchange: Exchange) => Promise<StreamAnswer>,
): Route {
  return {
    endpoint,
    options,
    // The pipeline parses the request with the schema of this endpoint before the call.
    handle: (request, exchange) => handle(request as ParsedRequestOf<E>, exchange),
  }
}

/** The caller of an endpoint whose access requires a user. Throws if there is none. */
export function getCaller(exchange: Exchange): Caller {
  if (exchange.caller === null) throw new Error('this call has no caller')
  return exchange.caller
}
