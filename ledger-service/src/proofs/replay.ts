import {
  type Command,
  type Control,
  isSameCanonicalJson,
  type Posting,
} from '@cairn/ledger-contracts'
import type pg from 'pg'
import { decideCommand } from '../log/decide.ts'
import { getEventRequestHash, getRequestHash, type StoredEvent } from '../log/envelope.ts'
import type { Decision, Model, PlacedEvent, PossibleCommands } from '../log/model.ts'
import { removeSeal } from '../log/seal.ts'
import type { View } from '../log/view.ts'
import { createStateRootCheck, readClosedMonths } from './closed-months.ts'
import { compareTable, listDifferences } from './compare-projections.ts'
import { PROBLEMS_MAX } from './findings.ts'
import { foldLog } from './fold.ts'
import { createFoldedRows, type FoldedRows } from './folded-rows.ts'
import { createLinkedEventCheck } from './linked-events.ts'
import { createRefusalCheck, readRefusals } from './refusal-check.ts'
import { isSystemError } from './system-error.ts'
import { type CheckedRefusals, loadState, type VerifiedState } from './verified-state.ts'

/** A problem of one event. If the problem belongs to a projection, `seq` is null. */
export interface ReplayProblem {
  seq: bigint | null
  problem: string
}

/**
 * Decides each event of the log and each stored refusal again, on the state before it. Compares all
 * stored projections with the state after the last event. The replay also detects an event or
 * refusal that was decided on a manipulated projection, even if the projection was restored
 * afterwards.
 */
export async function replayLog(
  { client, refusalClient }: { client: pg.ClientBase; refusalClient: pg.ClientBase },
  options: {
    ledger: number
    size: bigint
    model: Model
    /** The state from which the replay continues. The default is the empty state. */
    state?: VerifiedState | null
    /**
     * Called with the state after the last event, before this state is compared with the stored
     * projections.
     */
    keepState?: (state: { rows: FoldedRows; refusals: CheckedRefusals }) => void
  },
): Promise<readonly ReplayProblem[]> {
  const { ledger, size, model, state = null, keepState } = options
  const problems: ReplayProblem[] = []
  const add = (seq: bigint | null, problem: string) => {
    if (problems.length < PROBLEMS_MAX) problems.push({ seq, problem })
  }
  const later = readRefusals(refusalClient, { ledger, from: state?.refusals.count })
  const refusals = createRefusalCheck(later, {
    ledger,
    model,
    add,
    ...(state !== null && { from: state.refusals }),
  })
  const linked = createLinkedEventCheck(add)
  let checkStates: (seq: bigint) => void = () => {}
  const beforeEvent = (event: StoredEvent, placed: PlacedEvent, view: View) => {
    checkStates(event.seq)
    linked.check(event)
    const problem = findDecisionProblem(model, { event, placed, view })
    if (problem !== null) add(event.seq, problem)
    return refusals.checkBefore(event, view)
  }
  const checkVersion = async (view: View) => {
    const { rows } = await client.query<{ model: number }>(
      'select model from ledger.head where ledger_id = $1',
      [ledger],
    )
    const version = model.findVersion(view)
    const named = removeSeal(rows[0]?.model ?? version)
    if (named === version) return
    add(null, `the head names version ${named} of the rules, but version ${version} is in force`)
  }
  const inspectFinalState = async (view: View) => {
    linked.checkEnd()
    await checkVersion(view)
    await refusals.checkEnd(size, view)
  }
  using rows = createFoldedRows(model.tables)
  const fold = async () => {
    if (state !== null) await loadState(state, { tables: model.tables, view: rows.view })
    const from = state?.size ?? 0n
    const months = await readClosedMonths(client, { ledger, from })
    checkStates = createStateRootCheck({ months, tables: model.tables, rows, add }).checkBefore
    await foldLog(client, { ledger, size, model, rows, from, beforeEvent, inspectFinalState })
  }
  const compareTables = async () => {
    for (const table of model.tables) {
      const difference = await compareTable(client, { ledger, table, rows })
      for (const problem of listDifferences(difference)) add(null, problem)
    }
  }
  if (!(await tryToReplay(fold, add))) return problems
  keepState?.({ rows, refusals: refusals.getChecked() })
  await tryToReplay(compareTables, add)
  return problems
}

/**
 * Returns false if the log or its projections cannot be read: the bytes of an event are invalid, for
 * example, and the comparison of bytes reports the event. Rejects if the disk, a connection or the
 * server fails, because this is no difference.
 */
async function tryToReplay(
  step: () => Promise<void>,
  add: (seq: null, problem: string) => void,
): Promise<boolean> {
  try {
    await step()
    return true
  } catch (error) {
    if (isSystemError(error)) throw error
    add(null, `the log cannot be replayed: ${error instanceof Error ? error.message : error}`)
    return false
  }
}

/**
 * Returns null if the command that was submitted leads to exactly this event. An event that repeats
 * too little of its command would otherwise be decided again with what the state says, also if the
 * state was changed for a moment.
 */
function findDecisionProblem(
  model: Model,
  { event, placed, view }: { event: StoredEvent; placed: PlacedEvent; view: View },
): string | null {
  try {
    const decision = decideEventAgain(model, { event, placed, view })
    if (decision === null) return 'was recorded for a different command'
    if ('refusal' in decision) {
      return `is refused when it is decided again: ${decision.refusal.message}`
    }
    return isSame(decision, event, placed.effectiveAtMs)
      ? null
      : 'gives a different event when it is decided again'
  } catch (error) {
    return `cannot be decided again: ${error instanceof Error ? error.message : error}`
  }
}

/** Returns null if no command that can have led to the event has the request hash of the event. */
function decideEventAgain(
  model: Model,
  { event, placed, view }: { event: StoredEvent; placed: PlacedEvent; view: View },
): Decision | null {
  const submitted = findSubmittedCommand(event, model.listCommandsOf(placed.fact, view))
  if (submitted === null) return null
  const approvals = placed.control?.approvals ?? []
  // The hash of an implied command is computed only when a decider reads it. Deciders only compare
  // it with approvals, and hashing each accrual would be slow.
  const requestHash =
    approvals.length === 0 ? NO_HASH : Buffer.from(getEventRequestHash(event), 'base64url')
  const approval = { commandSha256: requestHash.toString('hex'), approvals }
  const command = { ...submitted, ...(approvals.length > 0 && { approval }) }
  return decideCommand(model, { command, requestHash }, view, placed.recordedAtMs)
}

/**
 * Returns the command whose hash is the request hash of the event; null if there is none. An event
 * without a request hash implies the command.
 */
function findSubmittedCommand(
  event: StoredEvent,
  { commands, isComplete }: PossibleCommands,
): Command | null {
  const { requestHash, effectiveAt, recordedAt } = event
  const [candidate] = commands
  const first = candidate === undefined ? null : toCommand(event, candidate, effectiveAt)
  if (requestHash === null) return first
  for (const time of effectiveAt === recordedAt ? [null, effectiveAt] : [effectiveAt, null]) {
    for (const possible of commands) {
      const command = toCommand(event, possible, time)
      if (getRequestHash(command).toString('base64url') === requestHash) return command
    }
  }
  return isComplete ? null : first
}

function toCommand(
  { actor, externalId, metadata }: StoredEvent,
  candidate: Pick<Command, 'type' | 'data'>,
  effectiveAt: string | null,
): Command {
  // The cast is safe, because the type and the data of a candidate belong together.
  return {
    ...candidate,
    ...{ actor, key: null, requestId: null, effectiveAt, externalId, metadata },
  } as Command
}

type Decided = Exclude<Decision, { refusal: unknown }>

const NO_HASH = Buffer.alloc(0)

function isSame(decided: Decided, event: StoredEvent, effectiveAtMs: number): boolean {
  const control: Control | null = decided.control ?? null
  return (
    decided.fact.type === event.type &&
    decided.effectiveAtMs === effectiveAtMs &&
    isSameCanonicalJson(decided.fact.data, event.data) &&
    hasSamePostings(decided.postings, event.postings) &&
    isSameCanonicalJson(control, event.control)
  )
}

function hasSamePostings(left: readonly Posting[], right: readonly Posting[]): boolean {
  return (
    left.length === right.length &&
    left.every(
      ({ account, amountMinor }, at) =>
        account === right[at]?.account && amountMinor === right[at]?.amountMinor,
    )
  )
}
