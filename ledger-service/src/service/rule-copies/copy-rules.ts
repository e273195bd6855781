import {
  type Command,
  type EventDataOf,
  isSameCanonicalJson,
  parseFact,
  type RecordedEvent,
  type Refused,
  type RuleCopy,
} from '@cairn/ledger-contracts'
import { SERVER } from '../../domain/controls/approver.ts'
import type { Writer } from '../../log/writer.ts'
import { BadRequest } from '../http/server.ts'
import {
  type CopiedType,
  formatCopyId,
  parseCopyId,
  type RuleLog,
  type RulePage,
} from './rule-log.ts'

/** The number of copied events bounds the duration of a call, because each is one commit. */
const EVENTS_PER_CALL = 25

interface CopiedLedger {
  readonly number: number
  readonly rules: RuleLog
  readonly writer: Pick<Writer, 'submit'>
}

/** The target already has what the event would change, so the copy can go on. */
const ALREADY_SO: ReadonlySet<string> = new Set(['APPROVER_CONFLICT', 'CURRENCY_UNCHANGED'])

/**
 * Returns a function that copies plans, rules and approvers from the log of one ledger to another
 * ledger. What is copied comes from the log of the source only, which has decided it with the
 * approvals that it needed; the caller names two ledgers and nothing else. The copies are commands
 * of the server, because the approvers of the source are not known to the target yet.
 *
 * The target must be a copy of the source from its first event on. A ledger that has rules of its
 * own, such as the first ledger of a site, therefore takes no copies. Each copy has the number of its
 * event as external id and as idempotency key, so the target itself says how far it is copied, and a
 * call can be repeated at any point.
 */
export function createRuleCopier(): (
  source: Pick<CopiedLedger, 'number' | 'rules'>,
  target: CopiedLedger,
) => Promise<RuleCopy> {
  /**
   * For each source and target, how far the log of the source was read, and the newest copy then. A
   * process that does not know it reads on from the newest copy.
   */
  const positions = new Map<string, { through: bigint; copied: bigint }>()

  return async (source, target) => {
    const from = source.number
    const pair = `${from} ${target.number}`
    const newest = await target.rules.findNewestCopy(from)
    const copied = newest === null ? -1n : (parseCopyId(from, newest) ?? -1n)
    const known = positions.get(pair)
    // If the target has lost copies, it was restored: what it lacks is copied again.
    const start = known === undefined || copied < known.copied ? copied + 1n : known.through
    const page = await source.rules.read({ start, limit: EVENTS_PER_CALL })
    const problem = await findProblem(source, target, { newest, copied, page })
    const result = problem ?? (await copyPage(page, { from, target, copied }))
    if (typeof result === 'string') {
      positions.delete(pair)
      return { through: copied + 1n, size: page.size, problem: result }
    }
    positions.set(pair, { through: page.through, copied: result })
    return { through: page.through, size: page.size, problem: null }
  }
}

/** Returns the reason why nothing may be copied; null if there is none. */
async function findProblem(
  source: Pick<CopiedLedger, 'number' | 'rules'>,
  target: CopiedLedger,
  { newest, copied, page }: { newest: RecordedEvent | null; copied: bigint; page: RulePage },
): Promise<string | null> {
  const from = source.number
  const first = await target.rules.findFirstEvent()
  const isCopy = first === null || parseCopyId(from, first) !== null
  if (from === target.number || !isCopy) {
    return `Ledger ${target.number} is no copy of ledger ${from}: it has events of its own`
  }
  if (newest !== null && !isSameChange(await source.rules.findEvent(copied), newest)) {
    return `Ledger ${from} has lost event ${copied}, which ledger ${target.number} has copied`
  }
  // A ledger without a copy must not get people: their events would be its first ones.
  const isNothing = newest === null && page.events.length === 0 && page.through === page.size
  return isNothing ? `Ledger ${from} has no plans, rules or approvers yet` : null
}

/** Returns the number of the newest copied event, or the reason why an event was not copied. */
async function copyPage(
  { events }: RulePage,
  { from, target, copied }: { from: number; target: CopiedLedger; copied: bigint },
): Promise<bigint | string> {
  let last = copied
  for (const event of events) {
    const refused = await copyEvent(event, from, target)
    if (refused === null) last = event.seq
    else if (!ALREADY_SO.has(refused.code)) {
      return `Event ${event.seq} of ledger ${from}: ${refused.message}`
    }
  }
  return last
}

/** Returns the refusal of the target; null if it has recorded the event. */
async function copyEvent(
  event: RecordedEvent,
  from: number,
  { number, writer }: CopiedLedger,
): Promise<Refused | null> {
  const id = formatCopyId(from, event.seq)
  const command = {
    ...toCommand(event),
    actor: SERVER,
    key: id,
    externalId: id,
    requestId: null,
    effectiveAt: null,
  } as Command
  const [answer] = (await writer.submit([command], 'interactive')) ?? []
  if (answer === undefined || answer.outcome === 'failed') {
    throw new BadRequest(503, `Ledger ${number} cannot record copies at the moment`)
  }
  return answer.outcome === 'recorded' ? null : answer
}

type Copied = Pick<Command, 'type' | 'data'>

/** For each type, returns the command that gives the event. */
const COMMANDS: { readonly [Type in CopiedType]: (data: EventDataOf<Type>) => Copied } = {
  PlanDefined: ({ planId, terms, version }) => {
    // The target refuses a version that does not follow its own, so that all ledgers have the same
    // terms under one version.
    const seen = version === 1 ? {} : { seen: version - 1 }
    return { type: 'DefinePlan', data: { planId, terms, ...seen } }
  },
  MoneyRulesSet: ({ rules }) => ({ type: 'SetMoneyRules', data: { rules } }),
  CurrencyChosen: (data) => ({ type: 'ChooseCurrency', data }),
  ApproverAdded: (data) => ({ type: 'AddApprover', data }),
  ApproverRemoved: (data) => ({ type: 'RemoveApprover', data }),
  DualControlSet: (data) => ({ type: 'SetDualControl', data }),
}

function toCommand(event: RecordedEvent): Copied {
  const { type, data } = parseFact(event.type, event.data)
  // The casts are safe, because `RuleLog` reads the types of `COMMANDS` only, and `parseFact` has
  // parsed the data of this type.
  return (COMMANDS[type as CopiedType] as (data: unknown) => Copied)(data)
}

function isSameChange(one: RecordedEvent | null, other: RecordedEvent): boolean {
  if (one === null || one.type !== other.type) return false
  return isSameCanonicalJson(one.data, other.data)
}
