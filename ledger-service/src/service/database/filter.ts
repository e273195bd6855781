import { type RawBuilder, type SqlBool, sql } from 'kysely'

export type Order = 'newest' | 'oldest' | 'largest' | 'smallest'

export function getSortColumns<Time extends string>(
  order: Order,
  time: Time,
): { column: Time | 'amountMinor'; direction: Direction } {
  const column = order === 'newest' || order === 'oldest' ? time : 'amountMinor'
  const direction = order === 'newest' || order === 'largest' ? 'desc' : 'asc'
  return { column, direction }
}

type Direction = 'asc' | 'desc'

/**
 * Returns the row at the border of the page, and the direction in which the page is read from this
 * row. If the page comes before the row, the rows are read backwards and then reversed.
 */
export function findPageBorder(
  { after, before }: { after?: string | undefined; before?: string | undefined },
  direction: Direction,
): { anchorId: string | undefined; direction: Direction; isReversed: boolean } {
  if (after !== undefined || before === undefined) {
    return { anchorId: after, direction, isReversed: false }
  }
  return { anchorId: before, direction: direction === 'asc' ? 'desc' : 'asc', isReversed: true }
}

/** Returns the condition that a row comes after `anchor` in the order of these columns. */
export function createAfterCondition(
  anchor: readonly (readonly [column: string, value: RawBuilder<unknown> | bigint | string])[],
  direction: Direction,
): RawBuilder<SqlBool> {
  const columns = sql.join(anchor.map(([column]) => sql.ref(column)))
  const values = sql.join(anchor.map(([, value]) => value))
  return direction === 'asc'
    ? sql<SqlBool>`(${columns}) > (${values})`
    : sql<SqlBool>`(${columns}) < (${values})`
}

/** Returns a LIKE pattern for a prefix. Wildcards in the text are escaped. */
export function formatPrefixPattern(text: string): string {
  return `${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
}

export function formatContainsPattern(text: string): string {
  return `%${formatPrefixPattern(text)}`
}

/**
 * Returns the minor units of a dollar amount such as `500` or `$1,200.50`, or null if the text is
 * not an amount.
 */
export function parseAmountFilter(text: string): bigint | null {
  const digits = text.replaceAll(/[$,\s]/g, '')
  const match = /^(\d{1,13})(?:\.(\d{2}))?$/.exec(digits)
  return match === null ? null : BigInt(`${match[1]}${match[2] ?? '00'}`)
}

/**
 * Returns a timestamptz parameter. The TypeScript type is number, because rows contain times as
 * milliseconds.
 */
export function bindInstant(iso: string): RawBuilder<number> {
  return sql<number>`${new Date(iso).toISOString()}::timestamptz`
}

export function formatInstant(ms: number): string {
  return new Date(ms).toISOString()
}

export function formatInstantOrNull(ms: number | null): string | null {
  return ms === null ? null : formatInstant(ms)
}
