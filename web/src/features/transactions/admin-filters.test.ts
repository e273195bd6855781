import { expect, test } from 'vitest'

import { createReaderClock } from '../../shared/dates/periods.ts'
import { readTransactionQuery } from './admin-filters.ts'

const clock = createReaderClock(
  { language: null, timeZone: 'Europe/Berlin' },
  Date.parse('2026-11-21T15:30:00Z'),
)

test('the URL contains the filter', () => {
  const search = new URLSearchParams('type=deposit&status=pending&date=today&q= ada &page=3')
  expect(readTransactionQuery(search, clock)).toEqual({
    page: 3,
    limit: 20,
    type: 'deposit',
    status: 'pending',
    from: '2026-11-20T23:00:00.000Z',
    q: 'ada',
  })
})

test('unknown values are ignored', () => {
  const search = new URLSearchParams('type=gift&status=failed&date=year&q=%20&page=-1')
  expect(readTransactionQuery(search, clock)).toEqual({ page: 1, limit: 20 })
})
