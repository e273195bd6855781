import { ProofError } from '@cairn/gateway-contracts/proof'
import { expect, test } from 'vitest'
import { describeReason } from './describe-reason.ts'

test.each([
  [
    'event 1564 is not among the 1564 events of the log',
    'event 1,564 is not among the 1,564 events of the log',
  ],
  [
    'the receipt is for event 7, but it contains event 12345',
    'the receipt is for event 7, but it contains event 12,345',
  ],
  ['the key cairn.example/ledger+1234 is unknown', 'the key cairn.example/ledger+1234 is unknown'],
])('the numbers of events in "%s" are formatted', (message, shown) => {
  expect(describeReason(new ProofError(message))).toBe(shown)
})
