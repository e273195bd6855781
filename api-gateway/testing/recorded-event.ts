import type { RecordedEvent } from '@cairn/ledger-contracts'

const AT = '2026-01-01T00:00:00.000Z'

/** Creates an event as the ledger sends it. Parts that are not given have an ordinary value. */
export function createRecordedEvent(
  part: Pick<RecordedEvent, 'type'> & Partial<RecordedEvent>,
): RecordedEvent {
  const { recordedAt = AT } = part
  return {
    seq: 0n,
    schemaVersion: 1,
    actor: 'admin:ada',
    recordedAt,
    effectiveAt: recordedAt,
    control: null,
    linked: null,
    externalId: null,
    metadata: null,
    data: {},
    postings: [],
    ...part,
  }
}
