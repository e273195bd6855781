import { OutdatedModel } from '../../src/log/deposed.ts'
import { CLOCK_DIFFERENCE_MAX_MS, type Head } from '../../src/log/head.ts'
import { computeRoot, EMPTY_FRONTIER, unpackFrontier } from '../../src/log/merkle.ts'
import { EMPTY_CHAIN } from '../../src/log/refusal-chain.ts'
import type { HeadMove } from '../../src/log/statement.ts'
import { RefusedData, type SettledRows, type Written } from '../../src/log/store.ts'
import { getKey, getStoredTable, type RowOf, type Table } from '../../src/log/table.ts'
import { eventTable, postingTable, refusalTable } from '../../src/log/tables.ts'
import type { World } from './world.ts'

type EventRow = RowOf<typeof eventTable>
type PostingRow = RowOf<typeof postingTable>
type RefusalRow = RowOf<typeof refusalTable>
type Rows = ReadonlyMap<Table, readonly object[]>

/**
 * An in-memory database with the tables and constraints. Like the real database, it rejects a batch
 * of a writer that has been replaced.
 */
export interface SimulatedDatabase {
  readonly events: readonly EventRow[]
  readonly postings: readonly PostingRow[]
  readonly refusals: ReadonlyMap<string, RefusalRow>
  /** The number of batches that were not written because a key or a new row existed already. */
  countConflicts(): number
  getHead(): Head & { root: Buffer }
  /** The events whose time was ahead of the clock of the database when they were written. */
  readonly eventsFromTheFuture: readonly bigint[]
  /**
   * The events that a writer with an older version of the rules wrote after a writer with a newer
   * version had taken over the log.
   */
  readonly eventsOfOldModels: readonly bigint[]
  takeHead(writer: { nowMs: number; modelVersion: number }): Head
  holdsHead(head: Head): boolean
  getRows(table: Table): ReadonlyMap<string, object>
  getSettled(hashes: readonly Buffer[]): SettledRows
  append(move: HeadMove, rows: Rows): Written
}

export function createSimulatedDatabase(options: {
  world: World
  isFenced: boolean
  isClockChecked: boolean
  isModelChecked: boolean
  /** If false, a new row replaces a stored row. */
  areRowsInserted: boolean
  /** If false, the keys of events are not compared with the keys of refusals. */
  areKeysCompared: boolean
}): SimulatedDatabase {
  const { world, isFenced, isClockChecked, isModelChecked } = options
  let conflicts = 0
  const events: EventRow[] = []
  const postings: PostingRow[] = []
  const refusals = new Map<string, RefusalRow>()
  const keys = new Map<string, EventRow>()
  const state = new Map<Table, Map<string, object>>()
  let root = computeRoot(EMPTY_FRONTIER)
  let head: Head = {
    ledger: 1,
    token: 0n,
    previousToken: 0n,
    frontier: EMPTY_FRONTIER,
    refusals: EMPTY_CHAIN,
    areRefusalsSealed: true,
    model: 1,
    lastRecordedAtMs: 0,
  }
  const eventsFromTheFuture: bigint[] = []
  const eventsOfOldModels: bigint[] = []
  /** The newest version of the rules that the present writer of the log knows. */
  let writing = 0
  const isAhead = (ms: number) => ms - world.getDatabaseNow() > CLOCK_DIFFERENCE_MAX_MS

  function getRows(table: Table): Map<string, object> {
    const rows = state.get(table) ?? new Map<string, object>()
    state.set(table, rows)
    return rows
  }

  function write(move: HeadMove, rows: Rows): void {
    for (const event of listAddedRows(rows, eventTable)) {
      if (events[Number(event.seq)] !== undefined) continue
      events[Number(event.seq)] = event
      if (writing < head.model) eventsOfOldModels.push(event.seq)
      if (isAhead(event.recordedAt)) eventsFromTheFuture.push(event.seq)
      if (event.idempotencyHash !== null) keys.set(event.idempotencyHash.toString('hex'), event)
    }
    postings.push(...listAddedRows(rows, postingTable))
    for (const row of listAddedRows(rows, refusalTable)) {
      refusals.set(row.idempotencyHash.toString('hex'), row)
    }
    for (const [target, changed] of rows) {
      const table = getStoredTable(target)
      if (table.key === null) continue
      for (const row of changed) getRows(table).set(getKey(table, toRecord(row)), row)
    }
    root = move.root
    const frontier = unpackFrontier(move.size, move.frontier)
    const { refusals: chain, lastRecordedAtMs } = move
    const areRefusalsSealed = chain.count === 0n
    const { model } = move
    head = { ...head, frontier, refusals: chain, areRefusalsSealed, model, lastRecordedAtMs }
  }

  return {
    events,
    postings,
    refusals,
    countConflicts: () => conflicts,
    getRows: getRows,
    getHead: () => ({ ...head, root }),
    eventsFromTheFuture,
    eventsOfOldModels,
    takeHead: ({ nowMs, modelVersion }) => {
      if (isModelChecked && modelVersion < head.model) {
        throw new OutdatedModel({ ledger: 1, found: head.model, own: modelVersion })
      }
      const difference = Math.abs(nowMs - world.getDatabaseNow())
      if (
        isClockChecked &&
        (difference > CLOCK_DIFFERENCE_MAX_MS || isAhead(head.lastRecordedAtMs))
      )
        throw new Error('the clocks differ')
      writing = modelVersion
      const token = world.random.createBytes(8).readBigUInt64BE() >> 1n
      head = { ...head, token, previousToken: head.token }
      return head
    },
    holdsHead: ({ token, frontier }) =>
      token === head.token && computeRoot(frontier).equals(computeRoot(head.frontier)),
    getSettled: (hashes) => {
      const names = hashes.map((hash) => hash.toString('hex'))
      return {
        events: names.flatMap((name) => toSettledEvents(keys.get(name))),
        refusals: names.flatMap((name) => toSettledRefusals(refusals.get(name))),
      }
    },
    append: (move, rows) => {
      const isChainOurs = move.fromRefusals.hash.equals(head.refusals.hash)
      const isOurs = move.token === head.token && move.fromRoot.equals(root) && isChainOurs
      if (isClockChecked && isAhead(move.lastRecordedAtMs)) return 'clock'
      if (isFenced && !isOurs) return 'fenced'
      if (isFenced && hasConflict(rows, { ...options, keys, refusals, getRows })) {
        conflicts += 1
        return 'conflict'
      }
      if (isFenced) assertFloors(rows)
      write(move, rows)
      return 'written'
    },
  }
}

/** True if a key or a new row of the batch exists already. */
function hasConflict(
  rows: Rows,
  stored: {
    keys: ReadonlyMap<string, EventRow>
    refusals: ReadonlyMap<string, RefusalRow>
    getRows(table: Table): ReadonlyMap<string, object>
    areRowsInserted: boolean
    areKeysCompared: boolean
  },
): boolean {
  const { keys, refusals, getRows, areRowsInserted, areKeysCompared } = stored
  const events = listNames(listAddedRows(rows, eventTable))
  const refused = listNames(listAddedRows(rows, refusalTable))
  if (events.some((name) => keys.has(name)) || refused.some((name) => refusals.has(name))) {
    return true
  }
  const isUsed = events.some((name) => refusals.has(name)) || refused.some((name) => keys.has(name))
  if (areKeysCompared && isUsed) return true
  return [...rows].some(([target, added]) => {
    const table = getStoredTable(target)
    if (table === target || !areRowsInserted) return false
    return added.some((row) => getRows(table).has(getKey(table, toRecord(row))))
  })
}

function listNames(rows: readonly { idempotencyHash: Buffer | null }[]): readonly string[] {
  return rows.flatMap(({ idempotencyHash }) => idempotencyHash?.toString('hex') ?? [])
}

/** Throws if a balance is below its floor. */
function assertFloors(rows: Rows): void {
  for (const [table, changed] of rows) {
    if (table.name !== 'balance') continue
    // The cast is safe, because the table is selected by the name of the balance table.
    for (const row of changed as readonly { balanceMinor: bigint; floorMinor: bigint | null }[]) {
      if (row.floorMinor !== null && row.balanceMinor < row.floorMinor) {
        throw new RefusedData('balance_floor_check')
      }
    }
  }
}

function listAddedRows<T extends Table>(rows: Rows, table: T): readonly RowOf<T>[] {
  // The cast is safe, because the rows of each table are in a separate map.
  return (rows.get(table) ?? []) as readonly RowOf<T>[]
}

function toRecord(row: object): Readonly<Record<string, unknown>> {
  return row as Readonly<Record<string, unknown>>
}

function toSettledEvents(event: EventRow | undefined): SettledRows['events'] {
  if (event === undefined || event.idempotencyHash === null) return []
  const { idempotencyHash, requestHash, bytes } = event
  return [{ idempotencyHash, requestHash, bytes }]
}

function toSettledRefusals(row: RefusalRow | undefined): SettledRows['refusals'] {
  if (row === undefined) return []
  const { idempotencyHash, requestHash, code, message, details, place, bytes } = row
  const answered = { code: code as SettledRows['refusals'][number]['code'], message, place, bytes }
  return [{ idempotencyHash, requestHash, ...answered, details: JSON.parse(details) }]
}
