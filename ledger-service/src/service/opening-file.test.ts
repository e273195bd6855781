import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { OPENING_HEADER, readOpeningFile } from './opening-file.ts'

const INVESTOR = '01jd8x4zq3kr5v7w9yab'
const read = (...rows: readonly string[]) =>
  readOpeningFile(Buffer.from([OPENING_HEADER, ...rows, ''].join('\n')))

test('a line has an account, an asset, and a debit or a credit with all decimals', () => {
  const file = read(
    'cash:bank,USD/2,1500.00,',
    `investor:${INVESTOR}:balance,USD/2,,1500.00`,
    'cash:yen,JPY/0,70,',
    'reserve,JPY/0,,70',
  )
  expect(file.problems).toEqual([])
  expect(file.lines).toEqual([
    { line: 2, account: 'cash:bank', asset: 'USD/2', isCredit: false, amountMinor: 150_000n },
    {
      line: 3,
      account: `investor:${INVESTOR}:balance`,
      asset: 'USD/2',
      isCredit: true,
      amountMinor: 150_000n,
    },
    { line: 4, account: 'cash:yen', asset: 'JPY/0', isCredit: false, amountMinor: 70n },
    { line: 5, account: 'reserve', asset: 'JPY/0', isCredit: true, amountMinor: 70n },
  ])
})

test('the hash covers the bytes, also of a file with the line ends of Windows', () => {
  const bytes = Buffer.from(`${OPENING_HEADER}\r\ncash:bank,USD/2,1.00,\r\nfees,USD/2,,1.00\r\n`)
  const file = readOpeningFile(bytes)
  expect(file.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
  expect([file.problems, file.lines.length]).toEqual([[], 2])
})

describe('one clear sentence says what is wrong', () => {
  test.each([
    ['cash:bank,USD/2,1.00', 'it must have four fields: account, asset, debit and credit'],
    ['', 'it must have four fields: account, asset, debit and credit'],
    [`investor:${INVESTOR}:held:balance,USD/2,,1.00`, 'is not an account'],
    [`investor:${INVESTOR}:principal,USD/2,,1.00`, 'is not an account'],
    ['committed,USD/2,,1.00', '"committed" is not an account that can have an opening balance'],
    ['opening,USD/2,,1.00', '"opening" is not an account'],
    ['reserve@USD/2,USD/2,,1.00', 'is not an account'],
    ['reserve,usd,,1.00', '"usd" is not an asset, such as USD/2'],
    ['reserve,USD/2,,', 'it must have either a debit or a credit'],
    ['reserve,USD/2,1.00,1.00', 'it must have either a debit or a credit'],
    ['reserve,USD/2,,-1.00', '"-1.00" is negative: use the other column'],
    ['reserve,USD/2,,100', '"100" is not an amount with 2 decimals'],
    ['reserve,USD/2,,1.0', '"1.0" is not an amount with 2 decimals'],
    ['reserve,USD/2,,1e3', '"1e3" is not an amount with 2 decimals'],
    ['reserve,USD/2,,0.00', 'the amount is zero: remove the line'],
    ['reserve,USD/2,,10000000000000.01', '"10000000000000.01" is too large'],
  ])('%s: %s', (row, problem) => {
    const file = read('cash:bank,USD/2,1.00,', row, 'fees,USD/2,,1.00')
    expect(file.problems.filter((text) => text.startsWith('line'))).toHaveLength(1)
    expect(file.problems.join()).toContain(`line 3: `)
    expect(file.problems.join()).toContain(problem)
  })

  test('of an account that is named twice, and of each asset whose debits and credits differ', () => {
    const { problems } = read(
      'cash:bank,USD/2,1.00,',
      'cash:bank,EUR/2,2.00,',
      'cash:bank,USD/2,3.00,',
      'fees,USD/2,,5.00',
    )
    expect(problems).toEqual([
      'line 4: cash:bank in USD/2 is already on line 2',
      'the debits in USD/2 are 4.00, but the credits are 5.00',
      'the debits in EUR/2 are 2.00, but the credits are 0.00',
    ])
  })

  test('of a file without the header or without balances', () => {
    const other = readOpeningFile(Buffer.from('Account;Amount\ncash:bank;1\n'))
    expect(other.problems).toEqual([`line 1: the header must be ${OPENING_HEADER}`])
    expect(read().problems).toEqual(['the file has no balances'])
  })
})
