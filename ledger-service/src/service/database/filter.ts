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

/** A place in a list of several ledgers, at which the page of this ledger begins or ends. */
interface Border {
  at: string
  amountMinor: bigint
  isIncluded: boolean
  isBefore: boolean
}

interface PageBorder {
  after?: string | undefined
  afterAmountMinor?: bigint | undefined
  before?: string | undefined
  border?: Border | undefined
}

/**
 * Returns the row or the place at the border of the page, and the direction in which the page is
 * read from there. If the page comes before it, the rows are read backwards and then reversed.
 * `anchorMinor` is the amount that the row had when the caller read it, if the caller states it.
 */
export function findPageBorder(
  { after, afterAmountMinor, before, border }: PageBorder,
  direction: Direction,
): {
  anchorId: string | undefined
  anchorMinor: bigint | undefined
  place: Border | undefined
  direction: Direction
  isReversed: boolean
} {
  const anchorId = after ?? before
  const anchorMinor = after === undefined ? undefined : afterAmountMinor
  const place = anchorId === undefined ? border : undefined
  const isReversed = after === undefined && (before !== undefined || place?.isBefore === true)
  const turned = direction === 'asc' ? 'desc' : 'asc'
  return {
    anchorId,
    anchorMinor,
    place,
    direction: isReversed ? turned : direction,
    isReversed,
  }
}

/** Returns the condition that a row comes after the place in the direction of this column. */
export function createPlaceCondition(
  { at, amountMinor, isIncluded }: Border,
  { column, isTime, direction }: { column: string; isTime: boolean; direction: Direction },
): RawBuilder<SqlBool> {
  const value = isTime ? bindInstant(at) : amountMinor
  const sign = `${direction === 'asc' ? '>' : '<'}${isIncluded ? '=' : ''}`
  return sql<SqlBool>`${sql.ref(column)} ${sql.raw(sign)} ${value}`
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

/** A condition that no row fulfils: the sums of such a query are zero. */
export const NO_ROW = sql<SqlBool>`false`

/** Returns a LIKE pattern for a prefix. Wildcards in the text are escaped. */
export function formatPrefixPattern(text: string): string {
  return `${text.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`
}

export function formatContainsPattern(text: string): string {
  return `%${formatPrefixPattern(text)}`
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
