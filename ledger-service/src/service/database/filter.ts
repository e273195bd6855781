import { type RawBuilder, type SqlBool, sql } from 'kysely'

export type Order = 'newest' | 'oldest' | 'largest' | 'smallest'

export function orderOf<Time extends string>(
  order: Order,
  time: Time,
): { column: Time | 'amountMinor'; direction: 'asc' | 'desc' } {
  const column = order === 'newest' || order === 'oldest' ? time : 'amountMinor'
  const direction = order === 'newest' || order === 'largest' ? 'desc' : 'asc'
  return { column, direction }
}

/** A keyset condition: the rows after `anchor` in the order of these columns. */
export function isBehind(
  anchor: readonly (readonly [column: string, value: RawBuilder<unknown> | bigint | string])[],
  direction: 'asc' | 'desc',
): RawBuilder<SqlBool> {
  const columns = sql.join(anchor.map(([column]) => sql.ref(column)))
  const values = sql.join(anchor.map(([, value]) => value))
  return direction === 'asc'
    ? sql<SqlBool>`(${columns}) > (${values})`
    : sql<SqlBool>`(${columns}) < (${values})`
}

/** Returns a LIKE pattern for a prefix; escapes wildcards in the text. */
export function likePrefix(text: string): string {
  return `${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
}

export function likeAnywhere(text: string): string {
  return `%${likePrefix(text)}`
}

/**
 * Parses dollars such as `500` or `$1,200.50` to minor units; null if the text is not an amount.
 */
export function parseAmountAsked(text: string): bigint | null {
  const digits = text.replaceAll(/[$,\s]/g, '')
  const match = /^(\d{1,13})(?:\.(\d{2}))?$/.exec(digits)
  return match === null ? null : BigInt(`${match[1]}${match[2] ?? '00'}`)
}

/** Binds a timestamptz parameter. The type is number, because rows contain milliseconds. */
export function atInstant(iso: string): RawBuilder<number> {
  return sql<number>`${new Date(iso).toISOString()}::timestamptz`
}

export function formatInstant(ms: number): string {
  return new Date(ms).toISOString()
}

export function formatInstantOrNull(ms: number | null): string | null {
  return ms === null ? null : formatInstant(ms)
}
