import { type DataOf, IMPORT_PERMISSION_DAYS } from '@cairn/ledger-contracts'
import { describe, expect, test } from 'vitest'
import {
  createActiveInvestor,
  openRuleBook,
  type RuleBook,
} from '../../../test/support/rule-book.ts'
import type { Model } from '../../log/model.ts'
import { balanceTable } from '../accounts/account.ts'
import { controlTotalTable } from '../accounts/control-total.ts'
import { investorTable } from '../investors/investor.ts'
import { model } from '../model.ts'
import { importedFileTable } from './imported-file.ts'

const DAY_MS = 86_400_000
const FILE = 'a'.repeat(64)
const OTHER_FILE = 'b'.repeat(64)
const SERVER = 'system:server'

type Line = DataOf<'ImportBalance'>
const RESERVE: Line = {
  fileSha256: FILE,
  line: 2,
  lastLine: 9,
  account: 'reserve',
  asset: 'USD/2',
  isCredit: true,
  amountMinor: 500n,
}
const CASH: Line = { ...RESERVE, line: 3, account: 'cash:bank', isCredit: false }

const importLine = (book: RuleBook, line: Line) => book.when('ImportBalance', line, SERVER)
const beginBusiness = (book: RuleBook) =>
  book.when('FundReserve', { transactionId: book.id(), amountMinor: 1n, note: null })

/** Opens a book in which two administrators have been approvers for a day. */
function openDualBook(rules: Model = model): RuleBook {
  const book = openRuleBook(rules)
  for (const approverId of ['ada', 'bob']) book.when('AddApprover', { approverId }, SERVER)
  book.advanceTime(DAY_MS)
  return book
}

/** Returns a model that decides imports on a view in which the rows of one table are replaced. */
function replaceRows(table: string, replace: (row: object | null) => object | null): Model {
  return {
    ...model,
    decide: (command, view, context) => {
      if (command.type !== 'ImportBalance') return model.decide(command, view, context)
      const wrap = (read: typeof view.peek): typeof view.peek => {
        return (from, key) => {
          const row = read(from, key)
          // The cast is safe, because the replacement has the columns of the table.
          return from.name === table ? (replace(row ?? null) as typeof row) : row
        }
      }
      const blind = { ...view, peek: wrap(view.peek), find: wrap(view.find) as typeof view.find }
      return model.decide(command, blind, context)
    },
  }
}

describe('opening balances', () => {
  test('are posted against an account that is zero after a complete file', () => {
    const book = openRuleBook()
    const investorId = createActiveInvestor(book, { amountMinor: 0n })
    importLine(book, RESERVE).expectRecorded('BalanceImported', RESERVE, {
      opening: -500n,
      reserve: 500n,
    })
    importLine(book, { ...CASH, amountMinor: 900n }).expectRecorded(
      'BalanceImported',
      {},
      { 'cash:bank': -900n, opening: 900n },
    )
    const profit = `investor:${investorId}:profit`
    importLine(book, { ...RESERVE, line: 4, account: profit, amountMinor: 400n }).expectRecorded(
      'BalanceImported',
      {},
    )
    expect([book.balance('opening'), book.balance(profit)]).toEqual([0n, 400n])
    expect(book.cache.find(investorTable, investorId)).toMatchObject({ profitMinor: 400n })
  })

  test('in another asset have an account of their own, and only cash and the reserve have them', () => {
    const book = openRuleBook()
    const line = { ...RESERVE, asset: 'EUR/2' }
    const postings = { 'opening@EUR/2': -500n, 'reserve@EUR/2': 500n }
    importLine(book, line).expectRecorded('BalanceImported', {}, postings)
    importLine(book, { ...line, line: 3, account: 'fees' }).expectRefused('ASSET_INVALID')
    const investorId = createActiveInvestor(book, { amountMinor: 0n })
    const account = `investor:${investorId}:balance`
    importLine(book, { ...line, line: 3, account }).expectRefused('ASSET_INVALID')
  })

  test('fix the currency', () => {
    const book = openRuleBook()
    importLine(book, RESERVE)
    book.when('ChooseCurrency', { asset: 'EUR/2' }).expectRefused('CURRENCY_FIXED')
  })

  test.each(['fees', 'income'])('are not below zero for %s', (account) => {
    const book = openRuleBook()
    importLine(book, { ...CASH, account }).expectRefused('IMPORT_INVALID', { account })
  })

  test('belong to investors whom the ledger knows', () => {
    const book = openRuleBook()
    const investorId = book.id()
    const line = { ...RESERVE, account: `investor:${investorId}:balance` }
    importLine(book, line).expectRefused('INVESTOR_UNKNOWN')
    book.when('ActivateInvestor', { investorId, referrerId: null })
    importLine(book, line).expectRecorded('BalanceImported', {})
    const closed = createActiveInvestor(book, { amountMinor: 0n })
    book.when('CloseInvestor', { investorId: closed })
    const lost = { ...line, line: 3, account: `investor:${closed}:balance` }
    importLine(book, lost).expectRefused('INVESTOR_UNKNOWN')
  })
})

describe('the lines of a file', () => {
  test('are recorded in order, each once, up to the last line', () => {
    const book = openRuleBook()
    importLine(book, CASH).expectRecorded('BalanceImported', {})
    for (const line of [2, 3, 10]) {
      importLine(book, { ...RESERVE, line }).expectRefused('IMPORT_CONFLICT', {
        line: String(line),
      })
    }
    importLine(book, { ...RESERVE, line: 10, lastLine: 10 }).expectRefused('IMPORT_CONFLICT')
    importLine(book, { ...RESERVE, line: 9 }).expectRecorded('BalanceImported', {})
  })

  test('sabotaged twin: without the row of the file, a line is recorded twice', () => {
    const book = openRuleBook(replaceRows(importedFileTable.name, () => null))
    for (const account of ['cash:bank', 'cash:other']) {
      importLine(book, { ...CASH, account }).expectRecorded('BalanceImported', {})
    }
  })

  test('name an account once, also in another file, before business begins', () => {
    const book = openRuleBook()
    importLine(book, RESERVE).expectRecorded('BalanceImported', {})
    importLine(book, { ...RESERVE, line: 3 }).expectRefused('IMPORT_CONFLICT', {
      account: 'reserve',
    })
    importLine(book, { ...RESERVE, fileSha256: OTHER_FILE }).expectRefused('IMPORT_CONFLICT')
    importLine(book, { ...CASH, fileSha256: OTHER_FILE }).expectRecorded('BalanceImported', {})
  })

  test('sabotaged twin: without the balances, an account is opened twice', () => {
    const book = openRuleBook(replaceRows(balanceTable.name, () => null))
    importLine(book, RESERVE)
    importLine(book, { ...RESERVE, fileSha256: OTHER_FILE }).expectRecorded('BalanceImported', {})
    expect(book.balance('reserve')).toBe(1_000n)
  })
})

describe('after business has begun', () => {
  test('a begun file continues, and another file is refused without dual control', () => {
    const book = openRuleBook()
    importLine(book, CASH)
    beginBusiness(book).expectRecorded('ReserveFunded', {})
    importLine(book, { ...CASH, fileSha256: OTHER_FILE }).expectRefused('IMPORT_CLOSED')
    importLine(book, { ...RESERVE, line: 4 }).expectRecorded('BalanceImported', {})
  })

  test('sabotaged twin: without the totals, another file is recorded', () => {
    const book = openRuleBook(replaceRows(controlTotalTable.name, () => null))
    beginBusiness(book)
    importLine(book, CASH).expectRecorded('BalanceImported', {})
  })
})

describe('with dual control', () => {
  test('two administrators permit a file, for seven days', () => {
    const book = openDualBook()
    const data = { fileSha256: FILE }
    importLine(book, RESERVE).expectRefused('IMPORT_NOT_PERMITTED')
    book.when('PermitImport', data, 'admin:ada').expectRefused('SECOND_APPROVER_NEEDED')
    book.approved('PermitImport', data, ['ada', 'ada']).expectRefused('SECOND_APPROVER_NEEDED')
    book.approved('PermitImport', data, ['ada', 'bob']).expectRecorded('ImportPermitted', data)
    importLine(book, { ...RESERVE, fileSha256: OTHER_FILE }).expectRefused('IMPORT_NOT_PERMITTED')
    book.advanceTime(IMPORT_PERMISSION_DAYS * DAY_MS)
    importLine(book, RESERVE).expectRecorded('BalanceImported', {})
    book.advanceTime(1)
    importLine(book, CASH).expectRefused('IMPORT_NOT_PERMITTED')
  })

  test('a permitted file is recorded after business has begun', () => {
    const book = openDualBook()
    beginBusiness(book)
    book.approved('PermitImport', { fileSha256: FILE }, ['ada', 'bob'])
    importLine(book, RESERVE).expectRecorded('BalanceImported', {})
  })

  test('the server, or one administrator before dual control, permits nothing', () => {
    const book = openRuleBook()
    const data = { fileSha256: FILE }
    book.when('PermitImport', data, 'admin:ada').expectRecorded('ImportPermitted', data)
    for (const approverId of ['ada', 'bob']) book.when('AddApprover', { approverId }, SERVER)
    importLine(book, RESERVE).expectRefused('IMPORT_NOT_PERMITTED')
    book.when('PermitImport', data, SERVER).expectRecorded('ImportPermitted', data)
    importLine(book, RESERVE).expectRefused('IMPORT_NOT_PERMITTED')
  })

  test('sabotaged twin: with any permission in the table, the file is recorded', () => {
    const permitAll = (row: object | null) => ({ line: 0, ...row, permittedAt: Number.MAX_VALUE })
    const book = openDualBook(replaceRows(importedFileTable.name, permitAll))
    importLine(book, RESERVE).expectRecorded('BalanceImported', {})
  })
})
