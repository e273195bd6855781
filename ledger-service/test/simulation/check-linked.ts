import type { Answer } from '@cairn/ledger-contracts'
import { readEnvelope } from '../../src/log/envelope.ts'
import { createLinkedEventCheck } from '../../src/proofs/linked-events.ts'
import type { SimulatedDatabase } from './database.ts'
import { formatName, type GroupWish } from './wishes.ts'

/**
 * Checks that each group of linked commands was recorded completely and in order, or not at all.
 * Checks that all commands of a group have the same outcome in each answer.
 */
export function checkLinkedGroups(
  database: SimulatedDatabase,
  groups: readonly GroupWish[],
): readonly string[] {
  const problems: string[] = []
  const linked = createLinkedEventCheck((seq, problem) => problems.push(`event ${seq} ${problem}`))
  const seqs = new Map<string, bigint>()
  for (const { bytes } of database.events) {
    const event = readEnvelope(bytes)
    linked.check(event)
    seqs.set(event.actor, event.seq)
  }
  linked.checkEnd()
  return [...problems, ...groups.flatMap((group) => checkGroup(group, seqs))]
}

function checkGroup(
  { wishes, answers }: GroupWish,
  seqs: ReadonlyMap<string, bigint>,
): readonly string[] {
  const [first] = wishes
  if (first === undefined) return []
  const name = `the group of ${formatName(first.command)}`
  const found = wishes.map(({ command }) => seqs.get(command.actor))
  const recorded = found.filter((seq) => seq !== undefined).length
  const start = found[0] ?? 0n
  const isInOrder = found.every((seq, index) => seq === start + BigInt(index))
  return [
    ...(recorded > 0 && recorded < wishes.length
      ? [`${name}: ${recorded} of ${wishes.length} commands were recorded`]
      : []),
    ...(recorded === wishes.length && !isInOrder ? [`${name}: the events are not in order`] : []),
    ...answers.flatMap(({ answer }) => (isWhole(answer) ? [] : [`${name}: the answers differ`])),
  ]
}

/**
 * True if all answers have the same outcome, and one command has a refusal that explains all other
 * refusals.
 */
function isWhole(answers: readonly Answer[]): boolean {
  const [first] = answers
  if (!answers.every(({ outcome }) => outcome === first?.outcome)) return false
  if (first?.outcome !== 'refused') return true
  const own = answers.filter(
    (answer) => answer.outcome === 'refused' && answer.code !== 'LINKED_COMMAND_REFUSED',
  )
  return own.length === 1
}
