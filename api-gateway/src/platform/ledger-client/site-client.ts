import {
  type Answer,
  type Command,
  describeRefusal,
  getInvestorId,
  type LedgerClient,
  type QueryName,
  type QueryRequest,
  type QueryResponse,
} from '@cairn/ledger-contracts'
import { findLedgerOfEvent } from './event-number.ts'
import { JOINS } from './join-answers.ts'
import { LISTINGS, type Listing, type ListPart } from './join-lists.ts'
import type { SiteLedgers } from './site-ledgers.ts'

/** Commands that create the transaction of the operator whose id they contain. */
const OF_OPERATOR: ReadonlySet<Command['type']> = new Set([
  'FundReserve',
  'WithdrawReserve',
  'SweepToReserve',
])

/** The parts of a command or query that say to which ledger it belongs. */
interface Subject {
  investorId?: unknown
  referrerId?: unknown
  transactionId?: unknown
  investmentId?: unknown
  account?: unknown
  seq?: unknown
}

/**
 * Creates the client of a site. What concerns a person, a transaction, an investment or an event
 * goes to the ledger that has it. `JOINS` and `LISTINGS` name the queries that all ledgers answer
 * together. Everything else goes to the first ledger; who chooses another one, such as an
 * administrator for the operator's own money, uses `getRequestedLedger`. A site with one ledger sends
 * everything there without a lookup.
 */
export function createSiteClient(ledgers: SiteLedgers): LedgerClient {
  const { homes } = ledgers
  const first = ledgers.getClient(ledgers.first)
  const getClient = (further: number | null) => ledgers.getClient(further ?? ledgers.first)

  async function findHome(investorId: string): Promise<LedgerClient> {
    return getClient((await homes.findFurther([investorId])).get(investorId) ?? null)
  }

  /**
   * Returns the ledger that has the transaction or investment, or the first ledger if none has it.
   * Throws if it was not found and a ledger does not answer: that ledger can have it.
   */
  async function searchLedgers(
    further: readonly number[],
    has: (client: LedgerClient) => Promise<boolean>,
  ): Promise<LedgerClient> {
    const all = [first, ...further.map(getClient)]
    const found = await Promise.allSettled(all.map(has))
    const place = found.findIndex((one) => one.status === 'fulfilled' && one.value)
    const silent = found.find((one) => one.status === 'rejected')
    if (place === -1 && silent !== undefined) throw silent.reason
    return all[place] ?? first
  }

  async function choose(subject: object, further: readonly number[]): Promise<LedgerClient> {
    const named: Subject = { ...subject }
    const { investorId, referrerId, transactionId, investmentId, account, seq } = named
    const owner = typeof account === 'string' ? getInvestorId(account) : null
    const person = investorId ?? owner ?? referrerId ?? null
    if (typeof person === 'string') return findHome(person)
    if (typeof transactionId === 'string') {
      return searchLedgers(further, async (client) => {
        return (await client.ask('transaction', { transactionId })).transaction !== null
      })
    }
    if (typeof investmentId === 'string') {
      return searchLedgers(further, async (client) => {
        return (await client.ask('investment', { investmentId })).investment !== null
      })
    }
    const number = typeof seq === 'bigint' ? findLedgerOfEvent(seq) : null
    return number !== null && further.includes(number) ? getClient(number) : first
  }

  async function chooseForCommand({ type, data }: Command): Promise<LedgerClient> {
    const further = await homes.listFurther()
    if (further.length === 0 || OF_OPERATOR.has(type)) return first
    return choose(data, further)
  }

  /**
   * Submits a purchase at a further ledger, which may not have the newest terms of the plan yet. A
   * purchase that names no version names that of the first ledger, so the further ledger refuses it
   * if it has another one. A purchase that names older terms is refused as long as the further ledger
   * would still sell them.
   */
  async function submitPurchase(
    client: LedgerClient,
    command: Extract<Command, { type: 'OpenInvestment' }>,
  ): Promise<Answer> {
    const { planId, planVersion: named } = command.data
    const planVersion = await findPlanVersion(first, planId)
    if (named === null) {
      return client.submit({ ...command, data: { ...command.data, planVersion } })
    }
    // Once the further ledger has the newest terms, it decides itself. So a purchase that it has
    // recorded is answered as such if it is sent again.
    const isCopied =
      named === planVersion || planVersion === (await findPlanVersion(client, planId))
    if (isCopied) return client.submit(command)
    return { outcome: 'refused', ...describeRefusal('termsChanged') }
  }

  async function chooseForAll(commands: readonly Command[]): Promise<LedgerClient> {
    const [chosen = first, ...others] = await Promise.all(commands.map(chooseForCommand))
    if (others.some((other) => other !== chosen)) {
      throw new Error('these commands belong to several ledgers')
    }
    return chosen
  }

  async function askAbout<Name extends QueryName>(
    name: Name,
    request: QueryRequest<Name>,
  ): Promise<QueryResponse<Name>> {
    const further = await homes.listFurther()
    if (further.length === 0) return first.ask(name, request)
    const askTogether = LISTINGS[name] ?? createJoinedQuery(name)
    if (askTogether === null) return (await choose(request, further)).ask(name, request)
    const parts = await divide(request, further)
    const [part] = parts
    if (part !== undefined && parts.length === 1) return part.client.ask(name, part.request)
    // If one ledger does not answer, the call fails: an answer without it would be too small.
    return askTogether(parts, request)
  }

  /** Divides a query about people by their ledgers, and repeats one about everybody for each. */
  async function divide<Request extends QueryRequest<QueryName>>(
    request: Request,
    further: readonly number[],
  ): Promise<readonly ListPart<Request>[]> {
    const investorIds = 'investorIds' in request ? request.investorIds : null
    if (investorIds === null) {
      return [null, ...further].map((number) => toPart(number, request))
    }
    const homesOfPeople = await homes.findFurther(investorIds)
    const groups = Map.groupBy(investorIds, (id) => homesOfPeople.get(id) ?? null)
    if (groups.size === 0) return [toPart(null, request)]
    return [...groups].map(([number, ids]) => toPart(number, { ...request, investorIds: ids }))
  }

  function toPart<Request>(number: number | null, request: Request): ListPart<Request> {
    return { client: getClient(number), place: number ?? 0, request }
  }

  return {
    submit: async (command) => {
      const client = await chooseForCommand(command)
      return client !== first && command.type === 'OpenInvestment'
        ? submitPurchase(client, command)
        : client.submit(command)
    },
    submitMany: async (commands, lane) => (await chooseForAll(commands)).submitMany(commands, lane),
    submitLinked: async (commands, lane) =>
      (await chooseForAll(commands)).submitLinked(commands, lane),
    submitDryRun: async (commands) => (await chooseForAll(commands)).submitDryRun(commands),
    submitBriefly: async (commands) => (await chooseForAll(commands)).submitBriefly(commands),
    ask: askAbout,
    closeMonths: first.closeMonths,
    copyRules: first.copyRules,
    events: first.events,
  }
}

/** Returns a function that asks each ledger and joins the answers; null if `JOINS` has no such query. */
function createJoinedQuery<Name extends QueryName>(name: Name): Listing<Name> | null {
  const join = JOINS[name]
  if (join === undefined) return null
  return async (parts, request) => {
    const answers = await Promise.all(parts.map((part) => part.client.ask(name, part.request)))
    return join(answers, request)
  }
}

/** Returns the newest version of the plan in the ledger; null if the ledger does not have the plan. */
async function findPlanVersion(ledger: LedgerClient, planId: string): Promise<number | null> {
  const { plans } = await ledger.ask('plans', { includeArchived: true })
  return plans.find((plan) => plan.planId === planId)?.version ?? null
}
