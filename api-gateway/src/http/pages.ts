import { LIST_LIMIT_MAX, LIST_OFFSET_MAX, type ListMeta } from '@cairn/gateway-contracts'
import { HttpFailure } from './failure.ts'

export function toMeta(filter: { page: number; limit: number }, total: number): ListMeta {
  const { page, limit } = filter
  const isBare = limit === LIST_LIMIT_MAX && page === 1
  return {
    page,
    pages: Math.max(1, Math.ceil(total / limit)),
    total,
    truncated: isBare && total > limit,
  }
}

/** How many rows to skip; whoever wants more has to narrow the filter. */
export function toOffset(filter: { page: number; limit: number }): number {
  const offset = (filter.page - 1) * filter.limit
  if (offset <= LIST_OFFSET_MAX) return offset
  throw new HttpFailure(400, 'INVALID', `Pages end at row ${LIST_OFFSET_MAX}`)
}
