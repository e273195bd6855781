import { expect, test } from 'vitest'

import { queryOf } from './admin-filters.ts'

const now = new Date(2026, 10, 21, 15, 30)

test('the address names the list', () => {
  const search = new URLSearchParams('type=deposit&status=pending&date=today&q= ada &page=3')
  expect(queryOf(search, now)).toEqual({
    page: 3,
    limit: 20,
    type: 'deposit',
    status: 'pending',
    from: new Date(2026, 10, 21).toISOString(),
    q: 'ada',
  })
})

test('what is not understood is left out', () => {
  const search = new URLSearchParams('type=gift&status=failed&date=year&q=%20&page=-1')
  expect(queryOf(search, now)).toEqual({ page: 1, limit: 20 })
})
