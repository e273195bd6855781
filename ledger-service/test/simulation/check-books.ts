import { type RecordedEvent, sumByAsset, toJson } from '@cairn/ledger-contracts'
import { balanceTable } from '../../src/domain/accounts/account.ts'
import { readEvent } from '../../src/log/envelope.ts'
import { append, computeRoot, EMPTY_FRONTIER, hashLeaf } from '../../src/log/merkle.ts'
import { getKey } from '../../src/log/table.ts'
import type { SimulatedDatabase } from './database.ts'
import { createFoldedBooks } from './folded-books.ts'
import { model } from './model.ts'

/** Checks that the log, its root, the postings and all projections agree. */
export function checkBooks(database: SimulatedDatabase): readonly string[] {
  const events = [...database.events].flatMap((row) =>
    row === undefined ? [] : [readEvent(row.bytes)],
  )
  return [
    ...checkLeaves(database),
    ...database.eventsFromTheFuture.map((seq) => `event ${seq} was recorded in the future`),
    ...database.eventsOfOldModels.map((seq) => `event ${seq} was recorded by an outdated writer`),
    ...checkPostings(database, events),
    ...checkProjections(database, events),
  ]
}

function checkLeaves(database: SimulatedDatabase): readonly string[] {
  const problems: string[] = []
  let frontier = EMPTY_FRONTIER
  for (const [index, row] of [...database.events].entries()) {
    if (row === undefined || row.seq !== BigInt(index)) return [`event ${index} is missing`]
    if (!hashLeaf(row.bytes).equals(row.leafHash)) problems.push(`event ${index}: wrong leaf hash`)
    frontier = append(frontier, row.leafHash).frontier
  }
  const { root, frontier: stored } = database.getHead()
  if (!computeRoot(frontier).equals(root)) problems.push('the root is not the root of the events')
  if (stored.size !== frontier.size)
    problems.push('the size of the head differs from that of the log')
  return problems
}

function checkPostings(
  database: SimulatedDatabase,
  events: readonly RecordedEvent[],
): readonly string[] {
  const problems: string[] = []
  const balances = new Map<string, bigint>()
  const written = database.postings.map(({ account, seq, amountMinor, balanceAfterMinor }) => {
    const balanceMinor = (balances.get(account) ?? 0n) + amountMinor
    balances.set(account, balanceMinor)
    if (balanceMinor !== balanceAfterMinor) problems.push(`${account} after ${seq}: wrong balance`)
    return `${seq} ${account} ${amountMinor}`
  })
  const said = events.flatMap(({ seq, postings }) => {
    const amounts = postings.map(({ account, amountMinor }) => [account, amountMinor] as const)
    for (const [asset, sum] of sumByAsset(amounts)) {
      if (sum !== 0n) problems.push(`event ${seq}: its postings in ${asset} add up to ${sum}`)
    }
    return postings.map(({ account, amountMinor }) => `${seq} ${account} ${amountMinor}`)
  })
  if (written.join() !== said.join()) problems.push('the postings differ from the events')

  for (const row of database.getRows(balanceTable).values()) {
    // The cast is safe, because the rows of each table are in a separate map.
    const { account, balanceMinor, floorMinor } = row as Balance
    if (balanceMinor !== balances.get(account)) problems.push(`${account}: not its postings' sum`)
    if (floorMinor !== null && balanceMinor < floorMinor) problems.push(`${account} is negative`)
  }
  return problems
}

interface Balance {
  account: string
  balanceMinor: bigint
  floorMinor: bigint | null
}

/** Computes all projections from the log and compares each row with the stored row. */
function checkProjections(
  database: SimulatedDatabase,
  events: readonly RecordedEvent[],
): readonly string[] {
  const books = createFoldedBooks()
  for (const event of events) {
    try {
      books.add(event)
    } catch (error) {
      return [`event ${event.seq} cannot have happened: ${error}`]
    }
  }
  return model.tables.flatMap((table) => {
    const stored = database.getRows(table)
    const rows = books.rows(table)
    if (rows.length !== stored.size)
      return [`${table.name}: ${stored.size} rows, not ${rows.length}`]
    return rows.flatMap((row) => {
      const key = getKey(table, row as Readonly<Record<string, unknown>>)
      return formatWithSortedKeys(row) === formatWithSortedKeys(stored.get(key) ?? {})
        ? []
        : [`${table.name} ${key} differs`]
    })
  })
}

function formatWithSortedKeys(row: object): string {
  return toJson(Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1)))
}
