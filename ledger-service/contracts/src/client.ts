import {
  type Answer,
  type BriefAnswer,
  BriefResponse,
  CommandsResponse,
  type DryRunAnswer,
  DryRunResponse,
  EventsResponse,
  type Failed,
} from './answers.ts'
import {
  getFailure,
  LedgerOverloaded,
  LedgerRefusedCall,
  LedgerUnreachable,
} from './client-failures.ts'
import type { Command } from './commands.ts'
import type { Lane } from './commands-request.ts'
import { joinCommands } from './join-commands.ts'
import { toJson } from './money.ts'
import { ClosedMonths } from './month-queries.ts'
import { type QueryName, type QueryRequest, type QueryResponse, queries } from './queries.ts'
import { RuleCopy } from './rule-copy.ts'

export interface LedgerClient {
  submit(command: Command): Promise<Answer>
  /**
   * Returns one answer per command, in the same order. Each command can fail without an effect on
   * the other commands.
   */
  submitMany(commands: readonly Command[], lane?: Lane): Promise<readonly Answer[]>
  /**
   * Submits linked commands. Either all commands are recorded, in order and in one batch, or none
   * is recorded. Each command is decided on the state after the commands before it. If one command
   * is refused, the other commands are refused with `LINKED_COMMAND_REFUSED`. Either each command
   * has an idempotency key or no command has a key. Only the same group may be repeated with these
   * keys.
   */
  submitLinked(commands: readonly Command[], lane?: Lane): Promise<readonly Answer[]>
  /**
   * Decides a command, or linked commands, on the current state without recording anything. The
   * answer describes the result at this moment. A real submission after that can have a different
   * result. Idempotency keys are ignored.
   */
  submitDryRun(commands: readonly Command[]): Promise<readonly DryRunAnswer[]>
  /**
   * Submits the commands in the bulk lane. Returns only the outcome and the code of each command.
   */
  submitBriefly(commands: readonly Command[]): Promise<readonly BriefAnswer[]>
  /**
   * Asks for data that contains at least each event that this client has received in an answer or
   * from the feed, whichever server of the database answers.
   */
  ask<Name extends QueryName>(name: Name, request: QueryRequest<Name>): Promise<QueryResponse<Name>>
  /** Signs the trial balance of each ended month. Returns the months that this call signed. */
  closeMonths(): Promise<readonly string[]>
  /**
   * Copies plans, rules and approvers from the ledger `from` of the same service to this ledger, a
   * limited number with each call.
   */
  copyRules(request: { from: number }): Promise<RuleCopy>
  /**
   * Returns at most `limit` events with `seq > after`. If no such event exists, waits up to
   * `waitSeconds` for one.
   */
  events(page: {
    after: bigint
    waitSeconds: number
    limit: number
    signal?: AbortSignal
  }): Promise<EventsResponse>
}

/** The part of `fetch` that the client uses. A caller can supply its own implementation. */
export type LedgerFetch = (
  url: URL,
  init: { method: string; headers: Record<string, string>; body?: string; signal: AbortSignal },
) => Promise<{ ok: boolean; status: number; json(): Promise<unknown> }>

/**
 * Does not follow redirects, because a server other than the ledger must not receive the
 * credential.
 */
const fetchWithoutRedirect: LedgerFetch = (url, init) =>
  globalThis.fetch(url, { ...init, redirect: 'error' })

/**
 * Runs a call of the client as a part of a trace. `send` sends the call with additional headers.
 * `commands` is empty if the call submits no commands. Reads of the feed are not traced.
 */
export type TraceCall = <Result>(
  call: { path: string; commands: readonly Command[] },
  send: (headers: Readonly<Record<string, string>>) => Promise<Result>,
) => Promise<Result>

const sendUntraced: TraceCall = (_call, send) => send({})

const TIMEOUT_MS = 10_000
/** The timeout of `closeMonths`, which sums all postings. */
const CLOSING_TIMEOUT_MS = 600_000

function createOverloadedAnswer(message: string): Failed {
  return { outcome: 'failed', code: 'OVERLOADED', message }
}

export function createLedgerClient(options: {
  url: string
  token: string
  ledger?: number
  fetch?: LedgerFetch
  /** Timeout of interactive commands and of queries. */
  timeoutMs?: number
  /** Returns the id of the request that caused the call. The ledger logs this id. */
  requestId?: () => string | null
  /** Traces the calls. By default, no call is traced. */
  trace?: TraceCall
  /**
   * If true, `submit` sends the commands of one turn of the event loop in one request. The request
   * then has no request id in its header; each command has its own. Traced calls are never joined,
   * because each command belongs to another trace.
   */
  joinsCommands?: boolean
}): LedgerClient {
  const { url, token, ledger = 1, fetch = fetchWithoutRedirect, trace = sendUntraced } = options
  const { timeoutMs: interactiveTimeoutMs = TIMEOUT_MS } = options
  let newestSeq: bigint | null = null
  const common = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }

  function buildHeaders(
    added: Readonly<Record<string, string>>,
    commands: readonly Command[],
  ): Record<string, string> {
    // Joined commands come from several requests.
    const isFromOne = commands.every(({ requestId }) => requestId === commands[0]?.requestId)
    const requestId = isFromOne ? (options.requestId?.() ?? null) : null
    return { ...common, ...(requestId === null ? {} : { 'x-request-id': requestId }), ...added }
  }

  async function call(
    path: string,
    init: { method: string; body?: string; signal: AbortSignal },
    {
      added = {},
      commands = [],
    }: { added?: Readonly<Record<string, string>>; commands?: readonly Command[] } = {},
  ): Promise<unknown> {
    let response: Awaited<ReturnType<LedgerFetch>>
    let body: unknown
    try {
      response = await fetch(new URL(path, url), {
        ...init,
        headers: buildHeaders(added, commands),
      })
      body = await response.json()
    } catch (cause) {
      throw new LedgerUnreachable(`no answer from the ledger at ${url}`, { cause })
    }
    if (response.ok) return body
    const Failure = getFailure(response.status, path)
    throw new Failure(`the ledger answered ${response.status}: ${JSON.stringify(body)}`)
  }

  function post(
    path: string,
    body: unknown,
    { timeoutMs, commands = [] }: { timeoutMs: number; commands?: readonly Command[] },
  ): Promise<unknown> {
    return trace({ path, commands }, (headers) => {
      const signal = AbortSignal.timeout(timeoutMs)
      const init = { method: 'POST', body: toJson(body), signal }
      return call(path, init, { added: headers, commands })
    })
  }

  /** Posts the commands. If the ledger has no room, each command fails with `OVERLOADED`. */
  function postCommands(request: {
    lane: Lane
    brief?: boolean
    atomic?: boolean
    dryRun?: boolean
    commands: readonly Command[]
  }): Promise<unknown> {
    const { lane, commands } = request
    const timeoutMs = lane === 'interactive' ? interactiveTimeoutMs : TIMEOUT_MS
    const body = { ledger, ...request }
    return post('/v1/commands', body, { timeoutMs, commands }).catch((error: unknown) => {
      if (!(error instanceof LedgerOverloaded)) throw error
      return { answers: commands.map(() => createOverloadedAnswer(error.message)) }
    })
  }

  async function submitMany(commands: readonly Command[], lane: Lane = 'bulk') {
    return readAnswers(await postCommands({ lane, commands }))
  }

  function readAnswers(body: unknown): readonly Answer[] {
    const { answers } = CommandsResponse.parse(body)
    for (const answer of answers) if (answer.outcome === 'recorded') noteSeq(answer.event.seq)
    return answers
  }

  function noteSeq(seq: bigint): void {
    if (newestSeq === null || seq > newestSeq) newestSeq = seq
  }

  const submitOne =
    options.joinsCommands === true && options.trace === undefined
      ? joinCommands({
          send: (commands) => submitMany(commands, 'interactive'),
          isWholeRefused: (error) => error instanceof LedgerRefusedCall,
        })
      : async (command: Command) => (await submitMany([command], 'interactive'))[0]

  return {
    submitMany,
    submitLinked: async (commands, lane = 'interactive') => {
      return readAnswers(await postCommands({ lane, atomic: true, commands }))
    },
    submitDryRun: async (commands) => {
      const atomic = commands.length > 1
      const body = await postCommands({ lane: 'interactive', atomic, dryRun: true, commands })
      return DryRunResponse.parse(body).answers
    },
    submitBriefly: async (commands) => {
      const body = await postCommands({ lane: 'bulk', brief: true, commands })
      return BriefResponse.parse(body).answers
    },
    submit: async (command) => {
      const answer = await submitOne(command)
      if (answer === undefined) throw new LedgerUnreachable('the ledger sent no answer')
      return answer
    },
    ask: async (name, request) => {
      const asked = { ledger, ...request }
      const timeoutMs = interactiveTimeoutMs
      const search = newestSeq === null ? '' : `?minSeq=${newestSeq}`
      const body = await post(`/v1/queries/${name}${search}`, asked, { timeoutMs })
      // The cast is safe, because `name` selects the schema.
      return queries[name].response.parse(body) as QueryResponse<typeof name>
    },
    closeMonths: async () => {
      const timeoutMs = CLOSING_TIMEOUT_MS
      const body = await post('/v1/trial-balances', { ledger }, { timeoutMs })
      return ClosedMonths.parse(body).closed
    },
    copyRules: async ({ from }) => {
      const timeoutMs = TIMEOUT_MS
      return RuleCopy.parse(await post('/v1/rule-copies', { ledger, from }, { timeoutMs }))
    },
    events: async ({ after, waitSeconds, limit, signal }) => {
      const timeout = AbortSignal.timeout(waitSeconds * 1000 + TIMEOUT_MS)
      const query = new URLSearchParams({
        ledger: String(ledger),
        after: String(after),
        wait: String(waitSeconds),
        limit: String(limit),
      })
      const anySignal = signal === undefined ? timeout : AbortSignal.any([timeout, signal])
      const page = EventsResponse.parse(
        await call(`/v1/events?${query}`, { method: 'GET', signal: anySignal }),
      )
      const newest = page.events.at(-1)
      if (newest !== undefined) noteSeq(newest.seq)
      return page
    },
  }
}
