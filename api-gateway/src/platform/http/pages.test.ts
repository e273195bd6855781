import { expect, test } from 'vitest'
import { toMeta } from './pages.ts'

const PAGE = { page: 2, limit: 10 }

test('the last page by number has no next page, also if it is full', () => {
  const read = { rows: 10, lastId: 'last' }
  expect(toMeta(PAGE, { ...read, total: 20 })).toMatchObject({ pages: 2, next: null })
  expect(toMeta(PAGE, { ...read, total: 21 })).toMatchObject({ pages: 3, next: 'last' })
})

test('a page after a row leads on if it is full, and one before a row always', () => {
  const after = { ...PAGE, page: 1, after: 'row' }
  const before = { ...PAGE, page: 1, before: 'row' }
  expect(toMeta(after, { total: 21, rows: 10, lastId: 'last' }).next).toBe('last')
  expect(toMeta(after, { total: 21, rows: 9, lastId: 'last' }).next).toBeNull()
  expect(toMeta(before, { total: 21, rows: 3, lastId: 'last' }).next).toBe('last')
})

test('only a list that was asked for without a place is truncated', () => {
  const bare = { page: 1, limit: 5_000 }
  const read = { total: 6_000, rows: 1_000, lastId: 'last' }
  expect(toMeta(bare, read).truncated).toBe(true)
  expect(toMeta({ ...bare, after: 'row' }, read).truncated).toBe(false)
})
