import type { Readable } from 'node:stream'
import type { Endpoint, ParsedRequestOf, ResponseOf } from '@cairn/gateway-contracts'
import type { Context } from 'koa'
import type { Caller } from './caller.ts'
import type { ReceivedFile } from './multipart.ts'
import type { RateClass } from './rate-limit.ts'

/** What a handler may know of the request beside its parsed content. */
export interface Exchange {
  ctx: Context
  /** Set wherever the endpoint's access asks for somebody. */
  caller: Caller | null
  requestId: string
  ip: string
  nowMs: number
  file: ReceivedFile | null
  /** The Idempotency-Key, where the endpoint honours one. */
  key: string | null
  /** The id of what this request makes; a repetition with the same key has the same one. */
  subjectId: string
  /** Adds to the audit row of this request. */
  note(details: { subject?: string; actor?: string; [name: string]: unknown }): void
}

export interface FileAnswer {
  mediaType: string
  bytes: Buffer | Readable
  fileName: string
  /** To be kept, not to be looked at in the browser. */
  isDownload?: true
}

export interface StreamAnswer {
  messages: Readable
}

/** Who may see one thing among many of a kind, beyond the access of the call. */
export type OwnerRule = 'own' | 'any' | 'own-or-admin'

export interface RouteOptions {
  rate: RateClass
  owner: OwnerRule
  /** The name of the audit row, or null for calls that change nothing. */
  audit: string | null
  /** Moves money at an administrator's word: a second factor must have been shown lately. */
  needsFreshFactor?: true
  /** For what pages ask by themselves: it keeps no session from ending unused. */
  isNoUse?: true
  /** For the calls by which an administrator gets in while the site is maintained. */
  isOpenInMaintenance?: true
}

export interface Route {
  endpoint: Endpoint
  options: RouteOptions
  handle(request: unknown, exchange: Exchange): Promise<unknown>
}

/** The only way to add a call to the gateway. */
export function route<E extends Endpoint>(
  endpoint: E,
  options: RouteOptions,
  handle: (request: ParsedRequestOf<E>, exchange: Exchange) => Promise<ResponseOf<E>>,
): Route {
  return {
    endpoint,
    options,
    // The pipeline parses with this endpoint's own schema before it calls.
    handle: (request, exchange) => handle(request as ParsedRequestOf<E>, exchange),
  }
}

/** A file answers with bytes and not with the envelope. */
export function fileRoute<E extends Endpoint>(
  endpoint: E,
  options: RouteOptions,
  handle: (request: ParsedRequestOf<E>, exchange: Exchange) => Promise<FileAnswer>,
): Route {
  return {
    endpoint,
    options,
    // The pipeline parses with this endpoint's own schema before it calls.
    handle: (request, exchange) => handle(request as ParsedRequestOf<E>, exchange),
  }
}

/** Server-sent events, for as long as both sides stay. */
export function streamRoute<E extends Endpoint>(
  endpoint: E,
  options: RouteOptions,
  handle: (request: ParsedRequestOf<E>, exchange: Exchange) => Promise<StreamAnswer>,
): Route {
  return {
    endpoint,
    options,
    // The pipeline parses with this endpoint's own schema before it calls.
    handle: (request, exchange) => handle(request as ParsedRequestOf<E>, exchange),
  }
}

/** The caller of a call whose access asks for one. */
export function callerOf(exchange: Exchange): Caller {
  if (exchange.caller === null) throw new Error('this call has no caller')
  return exchange.caller
}
