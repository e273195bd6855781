import { parseFact } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { readEnvelope, type StoredEvent } from '../log/envelope.ts'
import type { Model, PlacedEvent } from '../log/model.ts'
import type { View } from '../log/view.ts'
import { copyRows } from '../service/database/copy-rows.ts'
import type { FoldedRows } from './folded-rows.ts'

/**
 * Computes all projections from the stored bytes of the log with the evolvers of the model, into
 * `rows`.
 */
export async function foldLog(
  client: pg.ClientBase,
  options: {
    ledger: number
    size: bigint
    model: Model
    rows: FoldedRows
    /** The number of events whose effects `rows` contains already. The default is 0. */
    from?: bigint
    /** Called with the state before each event. The fold waits for a returned promise. */
    beforeEvent?: (event: StoredEvent, placed: PlacedEvent, view: View) => Promise<void> | undefined
    /** Called with the state after the last event. */
    inspectFinalState?: (view: View) => Promise<void>
    onProgress?: (done: bigint, of: bigint) => void
  },
): Promise<void> {
  const { ledger, size, model, from = 0n, beforeEvent, inspectFinalState, onProgress } = options
  const { view } = options.rows
  let next = from
  // Makes the planner use the index, because a sort would write the whole log to temporary files
  // before the first row.
  await client.query('set local enable_sort = off')
  const events = copyRows(
    client,
    `select bytes from ledger.event
     where ledger_id = ${Number(ledger)} and seq >= ${BigInt(from)} and seq < ${BigInt(size)} order by seq`,
    (row) => readEnvelope(row.readBytes()),
  )
  for await (const page of events) {
    for (const event of page) {
      const { seq, actor, postings, control } = event
      if (seq !== next) throw new Error(`event ${next} is missing; run verify`)
      const fact = parseFact(event.type, event.data)
      const recordedAtMs = Date.parse(event.recordedAt)
      const effectiveAtMs = Date.parse(event.effectiveAt)
      const placed = { fact, postings, seq, actor, recordedAtMs, effectiveAtMs, control }
      const waiting = beforeEvent?.(event, placed, view)
      if (waiting !== undefined) await waiting
      model.evolve(placed, view)
      next += 1n
    }
    onProgress?.(next, size)
  }
  if (next < size) throw new Error(`event ${next} is missing; run verify`)
  await inspectFinalState?.(view)
}
