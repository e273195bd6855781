import type { DB } from './tables.generated.ts'

/**
 * The types of the gateway's tables. A database test in `migrations` fails if the types are out of
 * date.
 */
export type Tables = DB
