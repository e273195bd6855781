import {
  type Command,
  formatCanonicalJson,
  formatPostings,
  type Posting,
  type RecordedEvent,
} from '@cairn/ledger-contracts'
import { decideCommand } from '../../src/log/decide.ts'
import { getRequestHash, readEvent } from '../../src/log/envelope.ts'
import { forkView } from '../../src/log/view.ts'
import type { SimulatedDatabase } from './database.ts'
import { createFoldedBooks } from './folded-books.ts'
import { model } from './model.ts'
import { formatName, type Wish } from './wishes.ts'

/** Checks that each event is what its command gives when it is decided on the events before it. */
export function checkDecisions(
  { events }: SimulatedDatabase,
  wishes: readonly Wish[],
): readonly string[] {
  const commands = new Map(wishes.map(({ command }) => [command.actor, command]))
  const books = createFoldedBooks()
  return [...events].flatMap((row) => {
    if (row === undefined) return []
    const event = readEvent(row.bytes)
    const command = commands.get(event.actor)
    const isRight = command === undefined || decideAgain(command, event) === formatEvent(event)
    books.add(event)
    return isRight ? [] : [`event ${event.seq} is not what ${event.actor} gives`]
  })

  function decideAgain(command: Command, { recordedAt }: RecordedEvent): string {
    const hashed = { command, requestHash: getRequestHash(command) }
    const view = forkView(books.view)
    const decision = decideCommand(model, hashed, view, Date.parse(recordedAt))
    if ('refusal' in decision) return `${formatName(command)}: ${decision.refusal.code}`
    return formatEvent({ ...decision.fact, postings: decision.postings })
  }
}

function formatEvent(event: { type: string; data: object; postings: readonly Posting[] }): string {
  return `${event.type} ${formatCanonicalJson(event.data)} ${formatPostings(event.postings)}`
}
