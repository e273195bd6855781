import type { Answer, Command, RecordedEvent } from '@cairn/ledger-contracts'
import { formatCanonicalJson } from '@cairn/ledger-contracts'
import { model } from '../../src/domain/model.ts'
import { getRequestHash, readEvent } from '../../src/log/envelope.ts'
import { decideLinked } from '../../src/log/linked.ts'
import type { Context, Refusal } from '../../src/log/model.ts'
import { forkView } from '../../src/log/view.ts'
import type { SimulatedDatabase } from './database.ts'
import { createFoldedBooks } from './folded-books.ts'
import { formatName, type Given, type GroupWish, type Wish } from './wishes.ts'

/** The contexts in which commands were decided, keyed by the actor of the command. */
export type Deciding = ReadonlyMap<string, readonly Context[]>

/** The refusals of a command, or of linked commands, that must have been correct at some time. */
interface Claim {
  commands: readonly Command[]
  said: string
  /** The size of the log at the first attempt. `to` is its size when the answer arrived. */
  from: number
  to: number
}

/** Checks that each refusal was correct at some time between the first attempt and the answer. */
export function checkRefusals(
  { events }: SimulatedDatabase,
  options: { wishes: readonly Wish[]; groups: readonly GroupWish[]; deciding: Deciding },
): readonly string[] {
  const books = createFoldedBooks()
  let open = [...options.wishes.flatMap(listClaims), ...options.groups.flatMap(listGroupClaims)]
  const problems: string[] = []

  function checkClaims(size: number): void {
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

  function decideAgain(commands: readonly Command[], context: Context): string | null {
    const [only, ...others] = commands
    if (only !== undefined && others.length === 0) {
      const decision = model.decide(only, books.view, context)
      return 'refusal' in decision ? formatRefusals([decision.refusal]) : null
    }
    const members = commands.map((command) => ({ command, requestHash: getRequestHash(command) }))
    const decided = decideLinked(model, members, {
      view: forkView(books.view),
      size: 0n,
      recordedAtMs: context.recordedAtMs,
    })
    return decided !== null && 'refusals' in decided ? formatRefusals(decided.refusals) : null
  }

  const log: RecordedEvent[] = [...events].flatMap((row) => (row ? [readEvent(row.bytes)] : []))
  checkClaims(0)
  for (const [index, event] of log.entries()) {
    books.add(event)
    checkClaims(index + 1)
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

/** Returns no claim if a command was not refused. */
function toClaim(
  commands: readonly Command[],
  {
    askedAt,
    given,
    answers,
  }: { askedAt: number; given: Given<unknown>; answers: readonly Answer[] },
): Claim[] {
  const refused = answers.flatMap((answer) => (answer.outcome === 'refused' ? [answer] : []))
  if (refused.length < answers.length) return []
  return [{ commands, said: formatRefusals(refused), from: askedAt, to: given.logSize }]
}

function formatRefusals(refusals: readonly Pick<Refusal, 'code' | 'details'>[]): string {
  return refusals.map(({ code, details }) => `${code} ${formatCanonicalJson(details)}`).join('; ')
}
