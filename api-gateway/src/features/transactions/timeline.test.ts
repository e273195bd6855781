import type { RecordedEvent } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import { toSteps } from './timeline.ts'

function createEvent(type: string): RecordedEvent {
  return {
    schemaVersion: 1,
    seq: 7n,
    type,
    actor: 'admin:a',
    data: {},
    postings: [],
    effectiveAt: '2026-01-02T03:04:05.000Z',
    control: null,
    linked: null,
    externalId: null,
    metadata: null,
    recordedAt: '2026-01-02T03:04:05.000Z',
  }
}

function listKinds(...types: readonly string[]): readonly string[] {
  return toSteps(types.map(createEvent), () => 'the platform').map(({ kind }) => kind)
}

test('an event counts as approved only after an approval', () => {
  expect(listKinds('DepositRequested', 'DepositApproved')).toEqual(['requested', 'approved'])
  expect(listKinds('WalletFunded', 'InvestmentOpened')).toEqual(['recorded', 'recorded'])
})

test('an event of a newer ledger has a neutral label', () => {
  expect(listKinds('DepositFrozen', 'constructor')).toEqual(['recorded', 'recorded'])
})
