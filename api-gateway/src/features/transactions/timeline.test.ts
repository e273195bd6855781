import { expect, test } from 'vitest'
import { createRecordedEvent } from '../../../testing/recorded-event.ts'
import { toSteps } from './timeline.ts'

function listKinds(...types: readonly string[]): readonly string[] {
  const events = types.map((type) => createRecordedEvent({ type }))
  return toSteps(events, () => 'the platform').map(({ kind }) => kind)
}

test('an event counts as approved only after an approval', () => {
  expect(listKinds('DepositRequested', 'DepositApproved')).toEqual(['requested', 'approved'])
  expect(listKinds('WalletFunded', 'InvestmentOpened')).toEqual(['recorded', 'recorded'])
})

test('an event of a newer ledger has a neutral label', () => {
  expect(listKinds('DepositFrozen', 'constructor')).toEqual(['recorded', 'recorded'])
})
