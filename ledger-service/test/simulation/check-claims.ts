import {
  type Answer,
  type Command,
  type DryRunAnswer,
  formatCanonicalJson,
  formatPostings,
  type Posting,
  type RecordedEvent,
} from '@cairn/ledger-contracts'
import { getRequestHash, readEvent } from '../../src/log/envelope.ts'
import { decideLinkedCommands } from '../../src/log/linked.ts'
import type { Context } from '../../src/log/model.ts'
import { forkView } from '../../src/log/view.ts'
import type { SimulatedDatabase } from './database.ts'
import { createFoldedBooks } from './folded-books.ts'
import { model } from './model.ts'
import { type DryRun, formatName, type Given, type GroupWish, type Wish } from './wishes.ts'

/** The contexts in which commands were decided, keyed by the actor of the first command. */
export type Deciding = ReadonlyMap<string, readonly Context[]>

/**
 * The result that an answer gave for commands that were not recorded: refusals, or the answers of a
 * dry run.
 */
interface Claim {
  commands: readonly Command[]
  said: string
  /** The size of the log at the first attempt. */
  from: number
  /** The size of the log when the answer arrived. */
  to: number
}

/**
 * Checks that each refusal, and each answer of a dry run, was correct at some time between the
 * first attempt and the answer.
 */
export function checkClaims(
  { events }: SimulatedDatabase,
  options: {
    wishes: readonly Wish[]
    groups: readonly GroupWish[]
    dryRuns: readonly DryRun[]
    deciding: Deciding
  },
): readonly string[] {
  const books = createFoldedBooks()
  let open = [
    ...options.wishes.flatMap(listClaims),
    ...options.groups.flatMap(listGroupClaims),
    ...options.dryRuns.flatMap(listDryRunClaims),
  ]
  const problems: string[] = []

  function checkOpenClaims(size: number): void {
    open = open.filter((claim) => {
      if (claim.from > size) return true
      const [first] = claim.commands
      const contexts = options.deciding.get(first?.actor ?? '') ?? []
      if (contexts.some((context) => decideAgain(claim.commands, context) === claim.said))
        return false
      if (claim.to > size) return true
      const name = claim.commands.map(formatName).join(', ')
      problems.push(`${name}: ${claim.said} was not so when it was asked for`)
      return false
    })
  }

  function decideAgain(commands: readonly Command[], { recordedAtMs }: Context): string {
    const members = commands.map((command) => ({ command, requestHash: getRequestHash(command) }))
    const view = forkView(books.view)
    const decided = decideLinkedCommands(model, members, { view, size: 0n, recordedAtMs })
    if (decided === null) return ''
    if ('refusals' in decided) return decided.refusals.map(formatRefusal).join('; ')
    return decided.steps
      .map(({ decided: { fact, postings } }) => formatEvent({ ...fact, postings }))
      .join('; ')
  }

  const log: RecordedEvent[] = [...events].flatMap((row) => (row ? [readEvent(row.bytes)] : []))
  checkOpenClaims(0)
  for (const [index, event] of log.entries()) {
    books.add(event)
    checkOpenClaims(index + 1)
  }
  return problems
}

function listClaims({ command, askedAt, answers, isLinked }: Wish): Claim[] {
  if (isLinked) return []
  return answers.flatMap((given) => toClaim([command], { askedAt, given, answers: [given.answer] }))
}

function listGroupClaims({ wishes, answers }: GroupWish): Claim[] {
  const commands = wishes.map(({ command }) => command)
  const askedAt = wishes[0]?.askedAt ?? 0
  return answers.flatMap((given) => toClaim(commands, { askedAt, given, answers: given.answer }))
}

function listDryRunClaims({ commands, askedAt, answers }: DryRun): Claim[] {
  return answers.flatMap((given) => toClaim(commands, { askedAt, given, answers: given.answer }))
}

/** Returns no claim if a command was recorded or failed. */
function toClaim(
  commands: readonly Command[],
  {
    askedAt,
    given,
    answers,
  }: { askedAt: number; given: Given<unknown>; answers: readonly (Answer | DryRunAnswer)[] },
): Claim[] {
  const said = answers.flatMap((answer) => {
    if (answer.outcome === 'refused') return [formatRefusal(answer)]
    return answer.outcome === 'accepted' ? [formatEvent(answer.event)] : []
  })
  if (said.length < answers.length) return []
  return [{ commands, said: said.join('; '), from: askedAt, to: given.logSize }]
}

function formatRefusal({ code, details }: { code: string; details: object }): string {
  return `${code} ${formatCanonicalJson(details)}`
}

function formatEvent(event: { type: string; data: object; postings: readonly Posting[] }): string {
  return `${event.type} ${formatCanonicalJson(event.data)} ${formatPostings(event.postings)}`
}
