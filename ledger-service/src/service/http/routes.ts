import {
  type Answer,
  type BriefAnswer,
  type Command,
  CommandsRequest,
  type Failed,
  parseCommand,
  type QueryName,
  queries,
} from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import { ZodError, z } from 'zod'
import { FEED_LIMIT_MAX, type Feed } from '../../log/feed.ts'
import { failLinkedCommands } from '../../log/submission.ts'
import type { Writer } from '../../log/writer.ts'
import { type Caller, findSubmitProblem } from '../callers.ts'
import { createRuleCopier } from '../rule-copies/copy-rules.ts'
import type { RuleLog } from '../rule-copies/rule-log.ts'
import { waitForApprovalTimes } from './approval-times.ts'
import { NotNow } from './call-digest.ts'
import { createOverloadedReply } from './load-shedding.ts'
import { BadRequest, type Route } from './server.ts'

const PARSED_AT_ONCE = 50

export interface LedgerParts {
  clock: Clock
  writer: Writer
  feed: Feed
  rules: RuleLog
  /** Answers a query. The answer contains at least the events up to `minSeq`. */
  ask(name: QueryName, request: unknown, minSeq?: bigint | null): Promise<unknown>
  closeMonths(): Promise<readonly string[]>
  stop(): Promise<void>
}

const Seq = z
  .string()
  .regex(/^-?\d{1,18}$/)
  .transform(BigInt)
const QuerySearch = z.object({ minSeq: Seq.nullable().default(null) })
const EventsQuery = z.object({
  ledger: z.coerce.number().int(),
  after: Seq,
  wait: z.coerce.number().int().min(0).max(30),
  limit: z.coerce.number().int().min(1).max(FEED_LIMIT_MAX),
})

export interface Health {
  readonly isOk: boolean
  /** The names of the databases that do not answer. The ledgers of the others work. */
  readonly unavailable?: readonly string[]
}

/**
 * The HTTP routes of the service. An unknown ledger is answered with 404, and a known ledger that is
 * not open with 503.
 */
export function createLedgerRoutes(options: {
  ledgers: ReadonlyMap<number, LedgerParts>
  checkHealth(): Promise<Health>
  isKnown?: (ledger: number) => boolean
  /** If true, commands are rejected with 503, so that the caller retries at another instance. */
  isStopping?: () => boolean
}): Readonly<Record<string, Route>> {
  const { ledgers, checkHealth, isStopping = () => false, isKnown = () => false } = options
  const copyRules = createRuleCopier()

  function getParts(ledger: number): LedgerParts {
    const parts = ledgers.get(ledger)
    if (parts !== undefined) return parts
    if (!isKnown(ledger)) {
      throw new BadRequest(404, `This service does not serve ledger ${ledger}`)
    }
    throw new NotNow(`The database of ledger ${ledger} does not answer; nothing was done`)
  }

  return {
    'GET /healthz': {
      needs: null,
      handle: async () => {
        const { isOk, unavailable } = await checkHealth()
        const status = isOk ? 'ok' : 'unavailable'
        return { status: isOk ? 200 : 503, body: { status, unavailable } }
      },
    },
    'POST /v1/commands': {
      needs: 'canSubmit',
      // Before the body is read, the ledger that the request names is unknown.
      hasRoom: () => ledgers.size === 0 || ledgers.values().some(({ writer }) => writer.hasRoom()),
      handle: async ({ body, caller }) => {
        if (isStopping()) throw new NotNow('This instance is stopping; nothing was recorded')
        const { ledger, lane, brief, atomic, dryRun, commands } = CommandsRequest.parse(body)
        const parsed = await parseCommands(commands, { isLinked: atomic })
        const good = parsed.flatMap((item) => (item.command === null ? [] : [item.command]))
        requireSubmittable(caller, good)
        const { writer, clock } = getParts(ledger)
        await waitForApprovalTimes(good, clock)
        if (dryRun) {
          const deciding = writer.submitDryRun(good, lane)
          if (deciding === null) return createOverloadedReply()
          return { status: 200, body: { answers: addMalformedCommands(parsed, await deciding) } }
        }
        const answering = atomic ? writer.submitLinked(good, lane) : writer.submit(good, lane)
        if (answering === null) return createOverloadedReply()
        const answers = addMalformedCommands(parsed, await answering)
        return { status: 200, body: { answers: brief ? answers.map(toBriefAnswer) : answers } }
      },
    },
    'GET /v1/events': {
      needs: 'canRead',
      handle: async ({ search, getCloseSignal }) => {
        const page = EventsQuery.parse(Object.fromEntries(new URLSearchParams(search)))
        const { after, limit, wait } = page
        const waitMs = wait * 1_000
        const body = await getParts(page.ledger).feed.read({
          after,
          limit,
          waitMs,
          signal: getCloseSignal(),
        })
        return { status: 200, body }
      },
    },
    'POST /v1/trial-balances': {
      needs: 'canCloseMonths',
      handle: async ({ body }) => {
        const { ledger } = z.strictObject({ ledger: z.int() }).parse(body)
        return { status: 200, body: { closed: await getParts(ledger).closeMonths() } }
      },
    },
    'POST /v1/rule-copies': {
      needs: 'canCopyRules',
      handle: async ({ body }) => {
        if (isStopping()) throw new NotNow('This instance is stopping; nothing was copied')
        const { ledger, from } = z.strictObject({ ledger: z.int(), from: z.int() }).parse(body)
        const source = { number: from, ...getParts(from) }
        const target = { number: ledger, ...getParts(ledger) }
        return { status: 200, body: await copyRules(source, target) }
      },
    },
    'POST /v1/queries/': {
      needs: 'canRead',
      isKnown: (path) => isQueryName(getQueryName(path)),
      handle: async ({ path, body, search }) => {
        const name = getQueryName(path)
        if (!isQueryName(name)) throw new BadRequest(404, `There is no query ${name}`)
        const { ledger, ...request } = z.looseObject({ ledger: z.int() }).parse(body)
        const parsed = queries[name].request.parse(request)
        const { minSeq } = QuerySearch.parse(Object.fromEntries(new URLSearchParams(search)))
        return { status: 200, body: await getParts(ledger).ask(name, parsed, minSeq) }
      },
    },
  }
}

/** Refuses the whole request if one command exceeds the rights of the caller. */
function requireSubmittable(caller: Caller | null, commands: readonly Command[]): void {
  for (const command of commands) {
    const why = caller === null ? 'There is no caller' : findSubmitProblem(caller, command)
    if (why !== null) throw new BadRequest(403, why)
  }
}

function getQueryName(path: string): string {
  return path.slice('/v1/queries/'.length)
}

function isQueryName(name: string): name is QueryName {
  return Object.hasOwn(queries, name)
}

type Parsed = { command: Command; malformed: null } | { command: null; malformed: Failed }

/**
 * Parses a limited number of commands before it yields to the event loop, so that other requests
 * are not blocked. If a linked command is malformed, no command of the group is submitted.
 */
async function parseCommands(
  commands: readonly unknown[],
  { isLinked }: { isLinked: boolean },
): Promise<readonly Parsed[]> {
  const parsed: Parsed[] = []
  for (const command of commands) {
    if (parsed.length > 0 && parsed.length % PARSED_AT_ONCE === 0) {
      await new Promise((go) => setImmediate(go))
    }
    parsed.push(tryParseCommand(command))
  }
  const index = isLinked ? parsed.findIndex(({ malformed }) => malformed !== null) : -1
  const failed = parsed[index]?.malformed ?? null
  if (failed === null) return parsed
  return failLinkedCommands(parsed.length, { index, failed }).map((malformed) => ({
    command: null,
    malformed,
  }))
}

/**
 * Returns one answer for each command of the request: the failure of a malformed command, or the
 * answer of the ledger.
 */
function addMalformedCommands<A>(
  parsed: readonly Parsed[],
  decided: readonly A[],
): readonly (A | Failed | undefined)[] {
  const left = [...decided]
  return parsed.map(({ malformed }) => malformed ?? left.shift())
}

function toBriefAnswer(answer: Answer | undefined): BriefAnswer | undefined {
  if (answer === undefined) return undefined
  return { outcome: answer.outcome, code: answer.outcome === 'recorded' ? null : answer.code }
}

/** Parses one command. A malformed command does not affect the other commands in the request. */
function tryParseCommand(input: unknown): Parsed {
  try {
    return { command: parseCommand(input), malformed: null }
  } catch (error) {
    if (!(error instanceof ZodError)) throw error
    const message = z.prettifyError(error)
    return { command: null, malformed: { outcome: 'failed', code: 'MALFORMED', message } }
  }
}
