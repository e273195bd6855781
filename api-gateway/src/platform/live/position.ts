/** The key of the first ledger of the site in a position. Further ledgers have their numbers. */
export const FIRST_LEDGER = 0
/** The number before every event. A page with this number loads its data again. */
export const BEFORE_ALL_EVENTS = -1n

/** The number of the newest event of each ledger that a stream includes; null if not known yet. */
export type LivePosition = ReadonlyMap<number, bigint | null>

/**
 * Formats the id of a message: the event of the first ledger, then the events of the others, such as
 * `123,2:45`. Returns null while the position is not complete.
 */
export function formatPosition(position: LivePosition): string | null {
  const parts: string[] = []
  for (const [ledger, seq] of [...position].toSorted(([one], [other]) => one - other)) {
    if (seq === null) return null
    parts.push(ledger === FIRST_LEDGER ? String(seq) : `${ledger}:${seq}`)
  }
  return parts.join(',')
}

/** Parses an id that `LIVE_POSITION` matches. */
export function parsePosition(id: string): LivePosition {
  return new Map(
    id.split(',').map((part): [number, bigint] => {
      const [seq = '', ledger] = part.split(':').toReversed()
      return [ledger === undefined ? FIRST_LEDGER : Number(ledger), BigInt(seq)]
    }),
  )
}
