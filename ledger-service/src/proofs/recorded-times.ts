import type pg from 'pg'
import type { Findings } from './findings.ts'

export interface RecordedTimes {
  /** Compares the time of the next event. `recordedAtUs` is in microseconds since 1970. */
  add(event: { seq: bigint; recordedAtUs: number }): void
  /** Compares the time of the last event with the time in the head, in milliseconds. */
  compareHead(lastRecordedAtMs: number): void
}

/**
 * Checks that the time at which events were recorded never decreases and is not above the time in
 * the head. A decision depends on this time: with an invented one, an investment would end early or
 * an approver would have waited long enough, and replaying the event would agree.
 */
export async function createRecordedTimes(
  client: pg.ClientBase,
  { ledger, from, found }: { ledger: number; from: bigint; found: Findings },
): Promise<RecordedTimes> {
  let newestUs = (await readTimeBefore(client, { ledger, seq: from })) * 1_000
  let newestSeq = from - 1n
  return {
    add: ({ seq, recordedAtUs }) => {
      if (recordedAtUs < newestUs) {
        found.addProblemAt(seq, 'has an earlier time than an event before it')
        return
      }
      newestUs = recordedAtUs
      newestSeq = seq
    },
    compareHead: (lastRecordedAtMs) => {
      if (newestUs / 1_000 > lastRecordedAtMs) {
        found.addProblemAt(newestSeq, 'has a later time than the head of the log')
      }
    },
  }
}

/** Returns the time, in milliseconds, of the event before `seq`; 0 if there is none. */
async function readTimeBefore(
  client: pg.ClientBase,
  { ledger, seq }: { ledger: number; seq: bigint },
): Promise<number> {
  const { rows } = await client.query<{ at: number }>(
    'select recorded_at as at from ledger.event where ledger_id = $1 and seq = $2',
    [ledger, seq - 1n],
  )
  return rows[0]?.at ?? 0
}
