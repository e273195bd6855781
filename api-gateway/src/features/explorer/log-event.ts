import { type LogEvent, toAmount } from '@cairn/gateway-contracts'
import type { LoggedEvent } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { findPersons, getActorId } from '../users/index.ts'

/** Converts events to the API format, with the names of actors whose accounts still exist. */
export async function toLogEvents(
  deps: Pick<Dependencies, 'db'>,
  found: readonly LoggedEvent[],
): Promise<LogEvent[]> {
  const ids = found.map(({ actor }) => getActorId(actor)).filter((id) => id !== '')
  const persons = await findPersons(deps.db, ids)
  return found.map((event) => {
    const person = persons.get(getActorId(event.actor))
    const shown = {
      seq: String(event.seq),
      type: event.type,
      schemaVersion: event.schemaVersion,
      actor: event.actor,
      recordedAt: event.recordedAt,
      effectiveAt: event.effectiveAt,
      data: event.data,
      postings: event.postings.map(({ account, amountMinor }) => ({
        account,
        amount: toAmount(amountMinor),
      })),
      leafHash: event.leafHash,
    }
    return person === undefined ? shown : { ...shown, person }
  })
}
