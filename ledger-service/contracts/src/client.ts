import {
  type Answer,
  type BriefAnswer,
  BriefResponse,
  CommandsResponse,
  EventsResponse,
} from './answers.ts'
import type { Command, Lane } from './commands.ts'
import { toJson } from './money.ts'
import { ClosedMonths } from './month-queries.ts'
import { type QueryName, type QueryRequest, type QueryResponse, queries } from './queries.ts'

/** The ledger could not be asked or did not answer: whether a command was recorded is unknown. */
export class LedgerUnreachable extends Error {
  override readonly name = 'LedgerUnreachable'
  readonly code = 'LEDGER_UNREACHABLE'
}

/** The connection was refused: the ledger has not even heard of it. */
export function wasNeverSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === 'ECONNREFUSED') || wasNeverSent(error.cause)
}

export interface LedgerClient {
  submit(command: Command): Promise<Answer>
  /** An answer for each command, in their order; each stands for itself. */
  submitMany(commands: readonly Command[], lane?: Lane): Promise<readonly Answer[]>
  /** As bulk work, told only how each ended. */
  submitBriefly(commands: readonly Command[]): Promise<readonly BriefAnswer[]>
  ask<Name extends QueryName>(name: Name, request: QueryRequest<Name>): Promise<QueryResponse<Name>>
  /** Signs what each ended month ended with; the months that were signed by this call. */
  closeMonths(): Promise<readonly string[]>
  /** Events with `seq > after`, at most `limit`; waits up to `waitSeconds` for the first. */
  events(page: {
    after: bigint
    waitSeconds: number
    limit: number
    signal?: AbortSignal
  }): Promise<EventsResponse>
}

/** The part of `fetch` that the client uses: a caller on Node may bring a cheaper one. */
export type LedgerFetch = (
  url: URL,
  init: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal },
) => Promise<{ ok: boolean; status: number; json(): Promise<unknown> }>

const TIMEOUT_MS = 10_000
/** All postings are added up for it. */
const CLOSING_TIMEOUT_MS = 600_000

export function createLedgerClient(options: {
  url: string
  token: string
  ledger?: number
  fetch?: LedgerFetch
  /** How long a person's command or question may take. */
  timeoutMs?: number
  /** The request that the calls are made for, to be found again in the ledger's log. */
  requestId?: () => string | null
}): LedgerClient {
  const { url, token, ledger = 1, fetch = globalThis.fetch } = options
  const { timeoutMs: personMs = TIMEOUT_MS } = options
  const common = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

  function headersNow(): Record<string, string> {
    const requestId = options.requestId?.() ?? null
    return requestId === null ? common : { ...common, 'x-request-id': requestId }
  }

  async function call(
    path: string,
    init: { method: string; body?: string; signal: AbortSignal },
  ): Promise<unknown> {
    let response: Awaited<ReturnType<LedgerFetch>>
    let body: unknown
    try {
      response = await fetch(new URL(path, url), { ...init, headers: headersNow() })
      body = await response.json()
    } catch (cause) {
      throw new LedgerUnreachable(`no answer from the ledger at ${url}`, { cause })
    }
    if (response.ok) return body
    throw new LedgerUnreachable(`the ledger answered ${response.status}: ${JSON.stringify(body)}`)
  }

  function post(path: string, body: unknown, timeoutMs = TIMEOUT_MS): Promise<unknown> {
    const signal = AbortSignal.timeout(timeoutMs)
    return call(path, { method: 'POST', body: toJson(body), signal })
  }

  async function submitMany(commands: readonly Command[], lane: Lane = 'bulk') {
    const timeoutMs = lane === 'interactive' ? personMs : TIMEOUT_MS
    const body = await post('/v1/commands', { ledger, lane, commands }, timeoutMs)
    return CommandsResponse.parse(body).answers
  }

  return {
    submitMany,
    submitBriefly: async (commands) => {
      const body = await post('/v1/commands', { ledger, lane: 'bulk', brief: true, commands })
      return BriefResponse.parse(body).answers
    },
    submit: async (command) => {
      const [answer] = await submitMany([command], 'interactive')
      if (answer === undefined) throw new LedgerUnreachable('the ledger sent no answer')
      return answer
    },
    ask: async (name, request) => {
      const body = await post(`/v1/queries/${name}`, { ledger, ...request }, personMs)
      // The schema was chosen by the name itself.
      return queries[name].response.parse(body) as QueryResponse<typeof name>
    },
    closeMonths: async () => {
      const body = await post('/v1/trial-balances', { ledger }, CLOSING_TIMEOUT_MS)
      return ClosedMonths.parse(body).closed
    },
    events: async ({ after, waitSeconds, limit, signal }) => {
      const timeout = AbortSignal.timeout(waitSeconds * 1000 + TIMEOUT_MS)
      const query = new URLSearchParams({
        ledger: String(ledger),
        after: String(after),
        wait: String(waitSeconds),
        limit: String(limit),
      })
      const any = signal === undefined ? timeout : AbortSignal.any([timeout, signal])
      return EventsResponse.parse(await call(`/v1/events?${query}`, { method: 'GET', signal: any }))
    },
  }
}
