import { LIST_LIMIT_MAX, LIST_OFFSET_MAX, type ListMeta } from '@cairn/gateway-contracts'
import { HttpFailure } from './failure.ts'

/**
 * Returns the metadata of a page. `lastId` is the id of the last row of the page. After or before a
 * row, a full page may be the last one: the next page is then empty.
 */
export function toMeta(
  filter: {
    page: number
    limit: number
    after?: string | undefined
    before?: string | undefined
  },
  { total, rows, lastId }: { total: number; rows: number; lastId: string | undefined },
): ListMeta {
  const { page, limit, after, before } = filter
  const isNumbered = after === undefined && before === undefined
  const isBefore = after === undefined && before !== undefined
  const hasNext = isNumbered ? page * limit < total : isBefore || rows === limit
  const isBare = isNumbered && limit === LIST_LIMIT_MAX && page === 1
  return {
    page,
    pages: Math.max(1, Math.ceil(total / limit)),
    total,
    truncated: isBare && total > limit,
    next: hasNext ? (lastId ?? null) : null,
  }
}

/**
 * Returns the number of rows to skip. Throws above `LIST_OFFSET_MAX`; callers must then use `after`,
 * `before` or a narrower filter.
 */
export function toOffset(filter: {
  page: number
  limit: number
  after?: string | undefined
  before?: string | undefined
}): number {
  if (filter.after !== undefined || filter.before !== undefined) return 0
  const offset = (filter.page - 1) * filter.limit
  if (offset <= LIST_OFFSET_MAX) return offset
  throw new HttpFailure(
    400,
    'INVALID',
    `Pages end at row ${LIST_OFFSET_MAX}; use the parameter after instead`,
  )
}

/** The position of a row in a list. `amount` is null if the list is sorted by time. */
interface Position {
  id: string
  /** The amount by which the row is sorted, in minor units. */
  amount: bigint | null
}

/**
 * Formats the cursor at which an export continues. By amount, the cursor contains the amount of the
 * row, because the amount can change before the next page is read.
 */
export function formatCursor({ id, amount }: Position): string {
  return amount === null ? id : `${id} ${amount}`
}

export function parseCursor(cursor: string): Position {
  const [id = '', amount] = cursor.split(' ')
  return { id, amount: amount === undefined ? null : BigInt(amount) }
}
