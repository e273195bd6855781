import { type Answer, describeRefusal } from '@cairn/ledger-contracts'
import { decideCommand } from './decide.ts'
import type { HashedCommand, LinkedEntry, Settled } from './entry.ts'
import { type Decision, type Model, type Refusal, refuse } from './model.ts'
import { assertZeroSum, computeRunningBalances } from './running-balances.ts'
import type { RowOf } from './table.ts'
import type { postingTable } from './tables.ts'
import type { View } from './view.ts'

/** A linked command that can be recorded, with the rows of its postings. */
export interface LinkedStep {
  decided: Exclude<Decision, { refusal: Refusal }>
  postings: readonly RowOf<typeof postingTable>[]
}

/**
 * One step for each command if all commands can be recorded, otherwise one refusal for each
 * command.
 */
export type LinkedDecision = { steps: readonly LinkedStep[] } | { refusals: readonly Refusal[] }

/**
 * Decides each command on the state after the commands before it, and adds its changes to the view.
 * Stops at the first refusal, so the caller must pass a view whose changes can be discarded.
 * Returns null if `isLoaded` returns false for a command.
 */
export function decideLinkedCommands(
  model: Model,
  members: readonly Pick<HashedCommand, 'command' | 'requestHash'>[],
  on: {
    view: View
    /** The size of the log before the first command. */
    size: bigint
    recordedAtMs: number
    isLoaded?: (command: HashedCommand['command']) => boolean
  },
): LinkedDecision | null {
  const { view, size, recordedAtMs, isLoaded = () => true } = on
  const steps: LinkedStep[] = []
  for (const [index, member] of members.entries()) {
    if (!isLoaded(member.command)) return null
    const decision = decideCommand(model, member, view, recordedAtMs)
    if ('refusal' in decision)
      return { refusals: refuseLinkedCommands(members.length, index, decision) }
    const { fact, postings, effectiveAtMs, control = null } = decision
    const seq = size + BigInt(index)
    const { actor } = member.command
    assertZeroSum(fact, postings)
    const rows = computeRunningBalances(postings, seq, (code) => model.getBalance(view, code))
    model.evolve({ fact, postings, seq, actor, recordedAtMs, effectiveAtMs, control }, view)
    steps.push({ decided: decision, postings: rows })
  }
  return { steps }
}

/**
 * Returns the item of the command at `index`. The list has one item for each command of a group.
 */
export function getItem<T>(list: readonly T[], index: number): T {
  const found = list[index]
  if (found === undefined) throw new Error(`the group has no command ${index}`)
  return found
}

/**
 * The command at `index` has its own refusal. The refusals of all other commands of the group name
 * this index.
 */
function refuseLinkedCommands(
  length: number,
  index: number,
  { refusal }: { refusal: Refusal },
): Refusal[] {
  const details = { code: refusal.code, index: String(index) }
  const other = refuse('linkedRefused', details).refusal
  return Array.from({ length }, (_, place) => (place === index ? refusal : other))
}

/**
 * Returns the stored answers if exactly this group was answered before. Returns refusals if only
 * some keys of the group were used, or if the keys were used in a different group. Returns null if
 * no key was used.
 */
export function answerLinkedCommandsAgain(
  { members }: Pick<LinkedEntry, 'members'>,
  settled: ReadonlyMap<string, Settled>,
): readonly Answer[] | null {
  const known = members.map(({ idempotencyHash }) =>
    idempotencyHash === null ? undefined : settled.get(idempotencyHash.toString('hex')),
  )
  if (known.every((one) => one === undefined)) return null
  const [first] = known
  const isSame = known.every(
    (one, index) =>
      one?.linked?.index === index &&
      one.linked.length === members.length &&
      one.linked.first === first?.linked?.first &&
      one.answer.outcome === first.answer.outcome &&
      members[index]?.requestHash.equals(one.requestHash),
  )
  return members.map((_, index): Answer => {
    const answer = known[index]?.answer
    if (!isSame || answer === undefined) {
      return { outcome: 'refused', ...describeRefusal('linkedKeysReused') }
    }
    return answer.outcome === 'recorded' ? { ...answer, isReplay: true } : answer
  })
}
