import { expect, test } from 'vitest'
import { parseLedger, toLedgerPath, toLedgerQuery } from './ledger-of-url.ts'

test.each([
  ['2', 2],
  ['1000', 1_000],
  ['0', null],
  ['-1', null],
  ['2.5', null],
  ['east', null],
  ['', null],
  [null, null],
])('the ledger in the URL %j is %j', (text, ledger) => {
  expect(parseLedger(text)).toBe(ledger)
})

test('requests and addresses name the chosen ledger only', () => {
  expect(toLedgerQuery(null)).toEqual({})
  expect(toLedgerQuery(2)).toEqual({ ledger: 2 })
  expect(toLedgerPath('/manage/admin/accounts/reserve', null)).toBe(
    '/manage/admin/accounts/reserve',
  )
  expect(toLedgerPath('/manage/admin/accounts/reserve', 2)).toBe(
    '/manage/admin/accounts/reserve?ledger=2',
  )
})
