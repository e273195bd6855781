import { expect, test } from 'vitest'
import { createClosedMonth, openRuleBook } from '../../../test/support/rule-book.ts'
import { model } from '../model.ts'

const LEDGER = 'system:ledger'
// The clock of the test starts on 1 March 2026.
const ENDED = '2026-02'
const RUNNING = '2026-03'

test('months are closed in order, each month once and after its end', () => {
  const book = openRuleBook()
  const closeMonth = (month: string, stateSize?: number) =>
    book.when('CloseMonth', createClosedMonth(month, stateSize), LEDGER)
  closeMonth('2026-01').expectRecorded('MonthClosed', { month: '2026-01', liabilities: null })
  closeMonth('2026-01').expectRefused('MONTH_CONFLICT', { month: ENDED })
  closeMonth(ENDED, 1).expectRefused('MONTH_CONFLICT')
  closeMonth(ENDED).expectRecorded('MonthClosed', { month: ENDED })
  closeMonth(RUNNING).expectRefused('MONTH_CONFLICT', { month: RUNNING })
})

test('the event names the rules in force', () => {
  const book = openRuleBook()
  const outcome = book.when('CloseMonth', createClosedMonth(ENDED), LEDGER)
  outcome.expectRecorded('MonthClosed', {
    rules: expect.objectContaining({ minimumDepositMinor: 1_000n }),
  })
})

test('sabotaged twin: without the last closed month, a month is closed twice', () => {
  const forgetful = {
    ...model,
    evolve: (...args: Parameters<typeof model.evolve>) => {
      if (args[0].fact.type !== 'MonthClosed') model.evolve(...args)
    },
  }
  const book = openRuleBook(forgetful)
  const close = () => book.when('CloseMonth', createClosedMonth(ENDED), LEDGER)
  close().expectRecorded('MonthClosed', {})
  expect(() => close().expectRefused('MONTH_CONFLICT')).toThrow()
})
