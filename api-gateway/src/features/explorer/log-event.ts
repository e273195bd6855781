import type { LogEvent } from '@cairn/gateway-contracts'
import type { LoggedEvent } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { findPersons, getActorId, toPersonField } from '../users/index.ts'
import { toAmountOf } from './asset-amount.ts'

/** Converts events to the API format, with the names of actors and investors whose accounts still exist. */
export async function toLogEvents(
  deps: Pick<Dependencies, 'db'>,
  found: readonly LoggedEvent[],
): Promise<LogEvent[]> {
  const ids = found
    .flatMap((event) => [getActorId(event.actor), getSubjectId(event)])
    .filter((id) => id !== '')
  const persons = await findPersons(deps.db, ids)
  return found.map((event) => {
    return {
      seq: String(event.seq),
      type: event.type,
      schemaVersion: event.schemaVersion,
      actor: event.actor,
      recordedAt: event.recordedAt,
      effectiveAt: event.effectiveAt,
      linked: event.linked,
      externalId: event.externalId,
      metadata: event.metadata,
      data: event.data,
      postings: event.postings.map(({ account, amountMinor }) => ({
        account,
        amount: toAmountOf(account, amountMinor),
      })),
      leafHash: event.leafHash,
      ...toPersonField('person', persons.get(getActorId(event.actor))),
      ...toPersonField('subject', persons.get(getSubjectId(event))),
    }
  })
}

/**
 * Returns the id of the investor, of the referrer who gets a bonus or of the approver that the event
 * is about; empty if its data names no person.
 */
function getSubjectId({ data }: LoggedEvent): string {
  const { investorId, bonusTo, approverId } = data as Readonly<Record<string, unknown>>
  return [investorId, bonusTo, approverId].find((id) => typeof id === 'string') ?? ''
}
