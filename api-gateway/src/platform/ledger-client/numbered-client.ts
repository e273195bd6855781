import {
  type Answer,
  type LedgerClient,
  LedgerUnreachable,
  type QueryName,
  type QueryRequest,
} from '@cairn/ledger-contracts'
import { toSiteNumber, toSiteNumbers } from './event-number.ts'
import { FurtherLedgerUnreachable } from './further-ledger-unreachable.ts'

/** The members of answers that contain the number of an event. */
const NUMBER_MEMBERS: ReadonlySet<string> = new Set(['seq', 'lastSeq', 'firstBadSeq'])
/** The members of requests that can contain the number of an event. */
const REQUEST_MEMBERS: ReadonlySet<string> = new Set(['seq', 'before'])

/**
 * Returns a client of a further ledger whose answers and requests contain the numbers that events
 * have in the site. Sizes of the log stay those of the ledger.
 */
export function numberEvents(client: LedgerClient, further: number): LedgerClient {
  const base = toSiteNumber(0n, further)

  function numberAnswer(answer: Answer): Answer {
    if (answer.outcome !== 'recorded') return answer
    return { ...answer, event: { ...answer.event, seq: answer.event.seq + base } }
  }

  return {
    ...client,
    submit: async (command) => numberAnswer(await client.submit(command)),
    submitMany: async (commands, lane) =>
      (await client.submitMany(commands, lane)).map(numberAnswer),
    submitLinked: async (commands, lane) =>
      (await client.submitLinked(commands, lane)).map(numberAnswer),
    ask: async (query, request) => {
      // The casts are safe, because only the values of numbers change.
      const own = unnumber(request, base) as QueryRequest<typeof query>
      const answer = await client.ask(query, own)
      return addToNumbers(answer, base) as typeof answer
    },
    events: async ({ after, ...page }) =>
      toSiteNumbers(await client.events({ ...page, after: after - base }), further),
  }
}

/**
 * Returns a client of a further ledger with the numbers that events have in that ledger. The error
 * of a call that is not answered names the ledger.
 */
export function nameLedger(client: LedgerClient, further: number): LedgerClient {
  async function nameFailure<Result>(calling: Promise<Result>): Promise<Result> {
    try {
      return await calling
    } catch (cause) {
      if (!(cause instanceof LedgerUnreachable)) throw cause
      throw new FurtherLedgerUnreachable(further, { cause })
    }
  }

  return {
    submit: (command) => nameFailure(client.submit(command)),
    submitMany: (commands, lane) => nameFailure(client.submitMany(commands, lane)),
    submitLinked: (commands, lane) => nameFailure(client.submitLinked(commands, lane)),
    submitDryRun: (commands) => nameFailure(client.submitDryRun(commands)),
    submitBriefly: (commands) => nameFailure(client.submitBriefly(commands)),
    ask: (query, request) => nameFailure(client.ask(query, request)),
    closeMonths: () => nameFailure(client.closeMonths()),
    copyRules: (request) => nameFailure(client.copyRules(request)),
    events: (page) => nameFailure(client.events(page)),
  }
}

/** Replaces the numbers of events in a request by those in the ledger. */
function unnumber(request: QueryRequest<QueryName>, base: bigint): unknown {
  return Object.fromEntries(
    Object.entries(request).map(([name, part]) => {
      const isNumber = REQUEST_MEMBERS.has(name) && typeof part === 'bigint' && part >= base
      return [name, isNumber ? part - base : part]
    }),
  )
}

function addToNumbers(value: unknown, base: bigint): unknown {
  if (Array.isArray(value)) return value.map((part) => addToNumbers(part, base))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      // A ledger without events answers -1.
      const isNumber = typeof part === 'bigint' && part >= 0n && NUMBER_MEMBERS.has(name)
      return [name, isNumber ? part + base : addToNumbers(part, base)]
    }),
  )
}
