import { AUDIT_ACTIONS } from '@cairn/gateway-contracts'
import { expect, test } from 'vitest'

import { describeAction, describeEntry } from './describe-entry.ts'
import type { AuditEntry } from './queries.ts'

function describe(action: string, entry: Partial<AuditEntry> = {}): string {
  return describeEntry({
    id: '1',
    _id: '1',
    at: '2030-01-01T00:00:00.000Z',
    action,
    subject: null,
    ip: '::1',
    requestId: 'r',
    result: 'success',
    event: null,
    details: {},
    ...entry,
  })
}

test('an action is a sentence in the past tense', () => {
  expect(describe('user.login')).toBe('logged in')
  expect(describe('transaction.cancel')).toBe('cancelled a transaction')
  expect(describe('ledger.export-accounts')).toBe('exported the accounts of the ledger')
})

test('an action without success is described as an attempt', () => {
  expect(describe('user.login', { result: 'WRONG_CREDENTIALS' })).toBe('tried to log in')
  expect(describe('plan.edit', { result: 'attempted' })).toBe('tried to change a plan')
})

test('the sentence names the object that the entry records', () => {
  const details = { type: 'deposit', reference: 'DP-1', amountMinor: '5000' }
  expect(describe('transaction.approve', { details })).toBe('approved deposit DP-1 of $50.00')
  expect(describe('transaction.request', { details: { type: 'deposit' } })).toBe(
    'requested a deposit',
  )
  expect(describe('plan.edit', { details: { name: 'Elite' } })).toBe('changed plan Elite')
  expect(describe('plan.edit')).toBe('changed a plan')
  const funded = { amountMinor: '2500' }
  expect(describe('reserve.fund', { details: funded })).toBe('added $25.00 to the reserve')
  expect(describe('wallet.fund', { details: funded })).toBe('funded a wallet with $25.00')
  expect(describe('wallet.fund')).toBe('funded a wallet with money')
})

test('the sentence names the changed fields', () => {
  const change = { before: 1, after: 2 }
  const changes = { 'payment.minDeposit': change }
  expect(describe('settings.save', { details: { changes } })).toBe(
    'changed the settings: Minimum deposit',
  )
  const more = { ...changes, 'payment.depositFee': change, 'security.loginAttempts': change }
  expect(describe('settings.save', { details: { changes: more } })).toBe(
    'changed the settings: Minimum deposit, Deposit fee (percent) and 1 more',
  )
})

test('an action of another version keeps its name', () => {
  expect(describe('vault.open')).toBe('used “vault.open”')
})

test('each action has its own name in the filter', () => {
  const names = AUDIT_ACTIONS.map(describeAction)
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([])
  expect(describeAction('user.login')).toBe('Log in')
  expect(describeAction('transaction.approve')).toBe('Approve a transaction')
  expect(describeAction('reserve.fund')).toBe('Add money to the reserve')
})
