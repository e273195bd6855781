import { expect, test } from 'vitest'
import { describeApproval, describeTotals } from './bulk-sentences.ts'

const first = { type: 'deposit', net: 20, isApprovedOnce: false } as const
const second = { type: 'withdrawal', net: 30, isApprovedOnce: true } as const

test('only a first approval can record other details', () => {
  const other =
    /To record a different amount or a payout reference, open the transaction instead\.$/
  const named = /A second approval uses the account and the payout reference of the first one/
  expect(describeApproval([first])).toMatch(other)
  expect(describeApproval([first])).not.toMatch(named)
  expect(describeApproval([second])).toMatch(named)
  expect(describeApproval([second])).not.toMatch(other)
  expect(describeApproval([first, second])).toMatch(other)
  expect(describeApproval([first, second])).toMatch(named)
})

test('the totals name only the types that are selected', () => {
  expect(describeTotals([first, first, second])).toBe('$40.00 in deposits, $30.00 in withdrawals')
  expect(describeTotals([second])).toBe('$30.00 in withdrawals')
})
