import type { ColumnType } from 'kysely'

// What the driver returns for a type of PostgreSQL, and what it accepts. `tables.generated.ts` uses these.

export type Moment = ColumnType<Date, Date, Date>
export type Day = ColumnType<string, string, string>
/** Amounts and positions in the log: JavaScript would round a bigint of PostgreSQL that is read as a number. */
export type WholeNumber = ColumnType<string, string | bigint, string | bigint>
/** Written as text, because the driver would convert a JavaScript array to a PostgreSQL array. */
export type JsonText = ColumnType<unknown, string, string>
