import { parseFact } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { readEnvelope } from '../log/envelope.ts'
import type { Table } from '../log/table.ts'
import type { FoldedRows } from './folded-rows.ts'
import { computeFoldedStateRoot } from './state-root.ts'

/** A month that an event has closed. */
export interface ClosedMonth {
  seq: bigint
  month: string
  size: bigint
  root: string
  totals: ReadonlyMap<string, bigint>
  state: { size: bigint; salt: Buffer; root: string }
}

/**
 * Reads the events that have closed months, oldest first. The default of `from` is the first event.
 */
export async function readClosedMonths(
  client: pg.ClientBase | pg.Pool,
  { ledger, from = 0n }: { ledger: number; from?: bigint },
): Promise<readonly ClosedMonth[]> {
  const { rows } = await client.query<{ bytes: Buffer }>(
    `select bytes from ledger.event
     where ledger_id = $1 and seq >= $2 and type = 'MonthClosed' order by seq`,
    [ledger, from],
  )
  return rows.flatMap(({ bytes }) => {
    const { seq, type, data } = readEnvelope(bytes)
    const fact = parseFact(type, data)
    if (fact.type !== 'MonthClosed') return []
    const { month, size, root, totals, state } = fact.data
    return [
      {
        seq,
        month,
        size: BigInt(size),
        root,
        totals: new Map(Object.entries(totals)),
        state: { ...state, size: BigInt(state.size), salt: Buffer.from(state.salt, 'hex') },
      },
    ]
  })
}

/**
 * Creates a check of the events that close months. The check compares the root in each event with
 * the root of the state after `state.size` events.
 */
export function createStateRootCheck(options: {
  months: readonly ClosedMonth[]
  tables: readonly Table[]
  rows: FoldedRows
  add: (seq: bigint, problem: string) => void
}) {
  const { months, tables, rows, add } = options
  const bySize = Map.groupBy(months, ({ state }) => state.size)
  for (const { seq, state } of months) {
    if (state.size > seq) add(seq, 'contains the root of a state that is newer than the event')
  }
  return {
    /**
     * Checks each event that names the root of the state after `seq` events. The replay calls this
     * function before it applies event `seq`, so `rows` contains this state.
     */
    checkBefore: (seq: bigint) => {
      for (const { seq: of, month, state } of bySize.get(seq) ?? []) {
        const root = computeFoldedStateRoot(rows, { tables, salt: state.salt }).toString('hex')
        if (root === state.root) continue
        add(
          of,
          `closes ${month} with a root that differs from the state after ${state.size} events`,
        )
      }
    },
  }
}
