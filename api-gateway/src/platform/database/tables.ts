import type { DB } from './tables.generated.ts'

/** The tables of the gateway by schema and name; a db test of `migrations` keeps the types current. */
export type Tables = DB
