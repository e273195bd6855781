import type { Command, RecordedEvent } from '@cairn/ledger-contracts'
import { formatCanonicalJson } from '@cairn/ledger-contracts'
import { model } from '../../src/domain/model.ts'
import { readEvent } from '../../src/log/envelope.ts'
import type { Context, Refusal } from '../../src/log/model.ts'
import { formatName, type Wish } from './callers.ts'
import type { SimulatedDatabase } from './database.ts'
import { createFoldedBooks } from './folded-books.ts'

/** The contexts in which commands were decided, keyed by the actor of the command. */
export type Deciding = ReadonlyMap<string, readonly Context[]>

interface Claim {
  command: Command
  said: string
  /** The size of the log at the first attempt. `to` is its size when the answer arrived. */
  from: number
  to: number
}

/** Checks that each refusal was correct at some time between the first attempt and the answer. */
export function checkRefusals(
  { events }: SimulatedDatabase,
  options: { wishes: readonly Wish[]; deciding: Deciding },
): readonly string[] {
  const books = createFoldedBooks()
  let open = options.wishes.flatMap(listClaims)
  const problems: string[] = []

  function checkClaims(size: number): void {
    open = open.filter((claim) => {
      if (claim.from > size) return true
      const contexts = options.deciding.get(claim.command.actor) ?? []
      if (contexts.some((context) => decideAgain(claim.command, context) === claim.said))
        return false
      if (claim.to > size) return true
      problems.push(`${formatName(claim.command)}: ${claim.said} was not so when it was asked for`)
      return false
    })
  }

  function decideAgain(command: Command, context: Context): string | null {
    const decision = model.decide(command, books.view, context)
    return 'refusal' in decision ? formatRefusal(decision.refusal) : null
  }

  const log: RecordedEvent[] = [...events].flatMap((row) => (row ? [readEvent(row.bytes)] : []))
  checkClaims(0)
  for (const [index, event] of log.entries()) {
    books.add(event)
    checkClaims(index + 1)
  }
  return problems
}

function listClaims({ command, askedAt, answers }: Wish): Claim[] {
  return answers.flatMap(({ answer, getLogSize }) =>
    answer.outcome === 'refused'
      ? [{ command, said: formatRefusal(answer), from: askedAt, to: getLogSize }]
      : [],
  )
}

function formatRefusal({ code, details }: Pick<Refusal, 'code' | 'details'>): string {
  return `${code} ${formatCanonicalJson(details)}`
}
