import type { Command, RecordedEvent } from '@cairn/ledger-contracts'
import { canonicalJson } from '@cairn/ledger-contracts'
import { model } from '../../src/domain/model.ts'
import { readEvent } from '../../src/log/envelope.ts'
import type { Context, Refusal } from '../../src/log/model.ts'
import { nameOf, type Wish } from './callers.ts'
import type { SimulatedDatabase } from './database.ts'
import { createFoldedBooks } from './folded-books.ts'

/** The times at which a command was decided, by actor. */
export type Deciding = ReadonlyMap<string, readonly Context[]>

interface Claim {
  command: Command
  said: string
  /** The sizes of the log at the first attempt and at the answer. */
  from: number
  to: number
}

/** Checks that each refusal was correct at some time between the first attempt and the answer. */
export function checkRefusals(
  { events }: SimulatedDatabase,
  options: { wishes: readonly Wish[]; deciding: Deciding },
): readonly string[] {
  const books = createFoldedBooks()
  let open = options.wishes.flatMap(claimsOf)
  const problems: string[] = []

  function settle(size: number): void {
    open = open.filter((claim) => {
      if (claim.from > size) return true
      const contexts = options.deciding.get(claim.command.actor) ?? []
      if (contexts.some((context) => decided(claim.command, context) === claim.said)) return false
      if (claim.to > size) return true
      problems.push(`${nameOf(claim.command)}: ${claim.said} was not so when it was asked for`)
      return false
    })
  }

  function decided(command: Command, context: Context): string | null {
    const decision = model.decide(command, books.view, context)
    return 'refusal' in decision ? textOf(decision.refusal) : null
  }

  const log: RecordedEvent[] = [...events].flatMap((row) => (row ? [readEvent(row.bytes)] : []))
  settle(0)
  for (const [index, event] of log.entries()) {
    books.add(event)
    settle(index + 1)
  }
  return problems
}

function claimsOf({ command, askedAt, answers }: Wish): Claim[] {
  return answers.flatMap(({ answer, logSize }) =>
    answer.outcome === 'refused'
      ? [{ command, said: textOf(answer), from: askedAt, to: logSize }]
      : [],
  )
}

function textOf({ code, details }: Pick<Refusal, 'code' | 'details'>): string {
  return `${code} ${canonicalJson(details)}`
}
