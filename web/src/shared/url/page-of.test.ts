import { expect, test } from 'vitest'
import { readPageNumber, readPagePlace, readSort, toPageParameters } from './page-of.ts'

const rows = [{ id: 'first' }, { id: 'middle' }, { id: 'last' }]
const place = (text: string) => readPagePlace(new URLSearchParams(text))

test('pages up to row 10,000 are found by their number', () => {
  expect(toPageParameters({ from: 500, to: 501 }, rows)).toEqual({
    page: '501',
    after: null,
    before: null,
  })
  expect(place('page=501')).toEqual({ page: 501 })
  expect(place('page=2&after=stale')).toEqual({ page: 2 })
  expect(toPageParameters({ from: 2, to: 1 }, rows).page).toBeNull()
})

test('pages beyond row 10,000 are found by the row that borders them', () => {
  expect(toPageParameters({ from: 501, to: 502 }, rows)).toEqual({
    page: '502',
    after: 'last',
    before: null,
  })
  expect(toPageParameters({ from: 503, to: 502 }, rows)).toEqual({
    page: '502',
    after: null,
    before: 'first',
  })
  expect(place('page=502&after=last')).toEqual({ page: 1, after: 'last' })
  expect(place('page=502&before=first')).toEqual({ page: 1, before: 'first' })
})

test('a page that cannot be found is the first one', () => {
  expect(readPageNumber(new URLSearchParams('page=502'))).toBe(1)
  expect(readPageNumber(new URLSearchParams('page=502&after=last'))).toBe(502)
  expect(readPageNumber(new URLSearchParams('page=x'))).toBe(1)
})

test('only orders of the server are read', () => {
  expect(readSort(new URLSearchParams('sort=-amount'))).toEqual({ sort: '-amount' })
  expect(readSort(new URLSearchParams('sort=name'))).toEqual({})
})
