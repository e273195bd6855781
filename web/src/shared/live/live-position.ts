/**
 * Returns the newer of two positions of a stream, for each ledger that they name. A position is the
 * number of the newest event of the first ledger, followed by those of other ledgers, such as
 * `123,2:45`.
 */
export function getMaxPosition(known: string | null, next: string | null): string | null {
  if (known === null || next === null) return known ?? next
  const [seen, other] = [parsePosition(known), parsePosition(next)]
  const ledgers = [...new Set([...seen.keys(), ...other.keys()])]
  const joined = ledgers.map((ledger) => {
    const [one = -1n, two = -1n] = [seen.get(ledger), other.get(ledger)]
    const isNewer = one > two
    return `${ledger}${isNewer ? one : two}`
  })
  return joined.join(',')
}

/**
 * Returns the numbers of the newest events by the prefix of their ledger: `2:` for ledger 2, and
 * nothing for the first ledger.
 */
function parsePosition(position: string): ReadonlyMap<string, bigint> {
  return new Map(
    position.split(',').map((part): [string, bigint] => {
      const at = part.indexOf(':') + 1
      return [part.slice(0, at), BigInt(part.slice(at))]
    }),
  )
}
