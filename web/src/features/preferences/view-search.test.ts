import { expect, test } from 'vitest'
import { readViewSearch } from './view-search.ts'

test('a view keeps search, filters and order, but no page and no opened row', () => {
  const search = 'q=ada&status=pending&sort=amount&page=3&after=x&transaction=t&action=approve'
  expect(readViewSearch(new URLSearchParams(search))).toBe('q=ada&status=pending&sort=amount')
  expect(readViewSearch(new URLSearchParams('page=2'))).toBe('')
  const opened = 'state=open&request=r&line=l&banks=open'
  expect(readViewSearch(new URLSearchParams(opened))).toBe('state=open')
})
