import type { Answer } from '@cairn/ledger-contracts'
import { type Draft, writeEvent, writeRefusal } from './draft.ts'
import type { LinkedEntry, SingleEntry } from './entry.ts'
import { getItem, type LinkedDecision } from './linked.ts'
import type { Decision, Model, Refusal } from './model.ts'
import { PoisonedBatch } from './poison.ts'
import { assertZeroSum, computeRunningBalances } from './running-balances.ts'
import type { Cache } from './view.ts'

/** Adds the event of a decided command and applies it to the cache. */
export function recordEntry(args: {
  draft: Draft
  entry: SingleEntry
  decision: Exclude<Decision, { refusal: Refusal }>
  cache: Cache
  model: Model
}): Answer {
  const { draft, entry, decision, cache, model } = args
  const { fact, postings, effectiveAtMs, control = null } = decision
  const { actor } = entry.command
  const seq = draft.frontier.size
  const { recordedAtMs } = draft
  try {
    assertZeroSum(fact, postings)
    const linked = null
    const event = writeEvent(draft, entry, { fact, postings, effectiveAtMs, control, linked, seq })
    draft.postings.push(
      ...computeRunningBalances(postings, seq, (code) => model.getBalance(cache, code)),
    )
    model.evolve({ fact, postings, seq, actor, recordedAtMs, effectiveAtMs, control }, cache)
    return { outcome: 'recorded', isReplay: false, event }
  } catch (cause) {
    throw new PoisonedBatch(entry, cause)
  }
}

/** Adds all events of the group, or all its refusals, and returns one answer for each command. */
export function writeLinkedCommands(args: {
  draft: Draft
  entry: LinkedEntry
  decision: LinkedDecision
}): readonly Answer[] {
  const { draft, entry, decision } = args
  const { length } = entry.members
  try {
    return entry.members.map((member, index): Answer => {
      const linked = { index, length }
      if ('refusals' in decision) {
        return writeRefusal(draft, member, { refusal: getItem(decision.refusals, index), linked })
      }
      const { decided, postings } = getItem(decision.steps, index)
      const { control = null, ...event } = decided
      const seq = draft.frontier.size
      draft.postings.push(...postings)
      const recorded = writeEvent(draft, member, { ...event, control, linked, seq })
      return { outcome: 'recorded', isReplay: false, event: recorded }
    })
  } catch (cause) {
    throw new PoisonedBatch(entry, cause)
  }
}
