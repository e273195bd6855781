import type { ColumnType } from 'kysely'

// The values that the driver returns for a PostgreSQL type, and the values that the driver accepts
// for the type.

export type Moment = ColumnType<Date, Date, Date>
export type Day = ColumnType<string, string, string>
/**
 * An amount or a position in the log, read as text because a JavaScript number would be rounded.
 */
export type WholeNumber = ColumnType<string, string | bigint, string | bigint>
/**
 * JSON is written as text, because the driver would convert a JavaScript array to a PostgreSQL
 * array.
 */
export type JsonText = ColumnType<unknown, string, string>
