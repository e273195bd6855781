import { z } from 'zod'
import { createWholeNumberField, Id, isWithinYears, OUTSIDE_YEARS, SINGLE_LINE } from './fields.ts'
import { MoneyOut } from './money.ts'

export const LIST_LIMIT_MAX = 5_000
export const LIST_OFFSET_MAX = 10_000

export const Sort = z.enum(['-createdAt', 'createdAt', '-amount', 'amount'])
export type Sort = z.infer<typeof Sort>

/** A day or an instant. The parsed value is an instant in UTC; a day becomes its first instant. */
export const Moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'must be a date')
  .refine(isWithinYears, OUTSIDE_YEARS)
  .transform((value) => new Date(value).toISOString())

/** The query of every list. Without parameters a list returns at most the first 5,000 rows. */
export const listQuery = {
  page: createWholeNumberField('page', { min: 1, max: LIST_OFFSET_MAX }).default(1),
  limit: createWholeNumberField('limit', { min: 1, max: LIST_LIMIT_MAX }).default(LIST_LIMIT_MAX),
  sort: Sort.default('-createdAt'),
  q: z.string().trim().max(100).regex(SINGLE_LINE, 'cannot be searched for').optional(),
  /**
   * Cursor pagination: the page starts after the row with this id. `page` is then not allowed. If
   * the list is sorted by amount and the amount of this row changes between two pages, the next page
   * starts at its new place, so other rows can be missing or repeated. The CSV exports do not have
   * this limit.
   */
  after: Id.optional(),
  /** The page ends before the row with this id. Ignored if `after` is given. */
  before: Id.optional(),
  from: Moment.optional(),
  to: Moment.optional(),
}

const meta = {
  page: z.int(),
  pages: z.int(),
  /** Number of rows that match the filter. */
  total: z.int(),
  /** True if a request without parameters did not return all rows. */
  truncated: z.boolean(),
  /** The id to pass as `after` for the next page; null on the last page. */
  next: Id.nullable(),
}

/**
 * Data about a list of transactions. `totals` are sums over the whole list and not only over this
 * page.
 */
export const TransactionMeta = z.object({
  ...meta,
  totals: z.object({
    amount: MoneyOut,
    /**
     * The filter changes only `amount`. The totals `transactions`, `deposits`, `withdrawals` and
     * `pending` always cover all rows.
     */
    transactions: z.int(),
    deposits: MoneyOut,
    withdrawals: MoneyOut,
    pending: z.int(),
  }),
})
export const InvestmentMeta = z.object({
  ...meta,
  totals: z.object({ invested: MoneyOut, profit: MoneyOut, active: z.int() }),
})
export const UserMeta = z.object({
  ...meta,
  /** Totals of all investors. The filter does not change these totals. */
  totals: z.object({ users: z.int(), active: z.int(), pending: z.int(), balance: MoneyOut }),
})
export type ListMeta = {
  page: number
  pages: number
  total: number
  truncated: boolean
  next: Id | null
}

/** The query of an export: the filter of a list, without pagination. */
export const exportQuery = {
  sort: listQuery.sort,
  q: listQuery.q,
  from: listQuery.from,
  to: listQuery.to,
}
