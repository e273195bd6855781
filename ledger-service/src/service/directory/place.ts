/** A database that holds ledgers. */
export interface Place {
  readonly name: string
  readonly databaseUrl: string
  /** A server that copies the database, see `createReplica`; null if there is none. */
  readonly readUrl: string | null
  /** The numbers of the ledgers, in ascending order. */
  readonly ledgers: readonly number[]
}

/** The maximum number of ledgers of an installation. */
export const LEDGERS_MAX = 1_000

/** Returns the place of an installation with one database, with the ledgers from 1 to `count`. */
export function createOnlyPlace({
  databaseUrl,
  readUrl = null,
  count,
}: {
  databaseUrl: string
  readUrl?: string | null
  count: number
}): Place {
  const ledgers = Array.from({ length: count }, (_, index) => index + 1)
  return { name: 'database', databaseUrl, readUrl, ledgers }
}

/** Throws if no place holds the ledger. */
export function findPlace(places: readonly Place[], ledger: number): Place {
  const place = places.find(({ ledgers }) => ledgers.includes(ledger))
  if (place === undefined) throw new Error(`this installation has no ledger ${ledger}`)
  return place
}

/** Lists the ledgers of all places in ascending order. */
export function listLedgers(places: readonly Pick<Place, 'ledgers'>[]): readonly number[] {
  return places.flatMap(({ ledgers }) => ledgers).toSorted((one, other) => one - other)
}
