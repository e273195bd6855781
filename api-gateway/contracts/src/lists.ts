import { z } from 'zod'
import { Id, SINGLE_LINE, wholeNumber } from './fields.ts'
import { MoneyOut } from './money.ts'

export const LIST_LIMIT_MAX = 5_000
export const LIST_OFFSET_MAX = 10_000

export const Sort = z.enum(['-createdAt', 'createdAt', '-amount', 'amount'])
export type Sort = z.infer<typeof Sort>

/** A day or an instant; read as an instant in UTC. */
export const Moment = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'must be a date')
  .transform((value) => new Date(value).toISOString())

/** Each list takes these; a bare call answers everything up to 5,000. */
export const listQuery = {
  page: wholeNumber('page', { min: 1, max: LIST_OFFSET_MAX }).default(1),
  limit: wholeNumber('limit', { min: 1, max: LIST_LIMIT_MAX }).default(LIST_LIMIT_MAX),
  sort: Sort.default('-createdAt'),
  q: z.string().trim().max(100).regex(SINGLE_LINE, 'cannot be searched for').optional(),
  /** Goes on behind this row, however far down it is; `page` is then left out. */
  after: Id.optional(),
  from: Moment.optional(),
  to: Moment.optional(),
}

const meta = {
  page: z.int(),
  pages: z.int(),
  /** Rows of the whole filter. */
  total: z.int(),
  /** True when a bare call left rows out. */
  truncated: z.boolean(),
  /** The last row of this page, to go on behind; null at the end. */
  next: Id.nullable(),
}

/** `totals` are computed over the whole filter, not over the page. */
export const TransactionMeta = z.object({
  ...meta,
  totals: z.object({
    amount: MoneyOut,
    /** These four are of all transactions, whatever the filter. */
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
  /** Of all investors, whatever the filter. */
  totals: z.object({ users: z.int(), active: z.int(), pending: z.int(), balance: MoneyOut }),
})
export type ListMeta = {
  page: number
  pages: number
  total: number
  truncated: boolean
  next: Id | null
}

/** The filter of a list without its pages: what an export of the whole filter takes. */
export const exportQuery = {
  sort: listQuery.sort,
  q: listQuery.q,
  from: listQuery.from,
  to: listQuery.to,
}
