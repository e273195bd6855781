import { type Answer, type RecordedEvent, toJson } from '@cairn/ledger-contracts'
import { readEvent } from '../../src/log/envelope.ts'
import type { SimulatedDatabase } from './database.ts'
import { formatName, type Wish } from './wishes.ts'

/** Checks that all answers agree with the log and with each other. */
export function checkAnswers(
  database: SimulatedDatabase,
  wishes: readonly Wish[],
): readonly string[] {
  const byActor = new Map<string, RecordedEvent[]>()
  for (const row of [...database.events]) {
    if (row === undefined) continue
    byActor.set(row.actor, [...(byActor.get(row.actor) ?? []), readEvent(row.bytes)])
  }
  const problems = wishes.flatMap((wish) => {
    const events = byActor.get(wish.command.actor) ?? []
    return checkTrackedCommand(wish, events).map(
      (problem) => `${formatName(wish.command)}: ${problem}`,
    )
  })
  return [...problems, ...checkOrder(wishes)]
}

function checkTrackedCommand(wish: Wish, events: readonly RecordedEvent[]): readonly string[] {
  const answers = wish.answers.map(({ answer }) => answer)
  const problems: string[] = []
  if (events.length > 1) problems.push(`recorded ${events.length} times`)
  if (answers.some((answer) => answer.outcome === 'failed' && answer.code === 'POISON')) {
    problems.push('reported as faulty')
  }
  const recorded = answers.flatMap((answer) => (answer.outcome === 'recorded' ? [answer] : []))
  const [event] = events
  for (const answer of recorded) {
    if (event === undefined) problems.push('acknowledged and not in the log')
    else if (toJson(answer.event) !== toJson(event)) problems.push('not the event of the log')
  }
  problems.push(...checkRefusals(answers, event !== undefined))
  // If all attempts were answered and the answers are failures, the event must not be in the log.
  // If the answer to an attempt was lost, both states of the log are correct.
  const isUnrecorded = recorded.length === 0 && wish.lost === 0 && answers.length > 0
  if (isUnrecorded && event !== undefined) problems.push('in the log, though it was said to fail')
  return problems
}

function checkRefusals(answers: readonly Answer[], isInLog: boolean): readonly string[] {
  const refusals = answers.flatMap((answer) => (answer.outcome === 'refused' ? [answer] : []))
  if (refusals.length === 0) return []
  if (isInLog) return ['refused, and in the log']
  const said = new Set(refusals.map((refusal) => toJson(refusal)))
  return said.size === 1 ? [] : [`refused in ${said.size} ways`]
}

/** Checks that each instance records the commands of a lane in order. */
function checkOrder(wishes: readonly Wish[]): readonly string[] {
  const lanes = new Map<string, { place: number; seq: bigint }[]>()
  for (const { answers } of wishes) {
    for (const { answer, instance, lane, place } of answers) {
      if (answer.outcome !== 'recorded' || answer.isReplay) continue
      const name = `${instance} ${lane}`
      lanes.set(name, [...(lanes.get(name) ?? []), { place, seq: answer.event.seq }])
    }
  }
  return Array.from(lanes, ([name, taken]) => {
    const inOrder = taken.toSorted((one, other) => one.place - other.place)
    const isKept = inOrder.every(({ seq }, index) => seq > (inOrder[index - 1]?.seq ?? -1n))
    return isKept ? [] : [`the order of instance and lane ${name} was not kept`]
  }).flat()
}
