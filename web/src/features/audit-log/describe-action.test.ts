import { expect, test } from 'vitest'

import { describeAction, listDetails } from './describe-action.ts'

test('an action is described in words', () => {
  expect(describeAction('transaction.approve')).toBe('Transaction: approve')
  expect(describeAction('user.force-reset')).toBe('User: force reset')
  expect(describeAction('user.reset-mfa')).toBe('User: reset second factor')
  expect(describeAction('mfa.set-up')).toBe('Second factor: set up')
  expect(describeAction('faq.create')).toBe('FAQ: create')
})

test('a change is described with the replaced value', () => {
  expect(
    listDetails({ minDeposit: { before: 10, after: 20 }, reason: 'why', list: ['a'], none: null }),
  ).toEqual([
    { name: 'Minimum deposit', before: '10', after: '20' },
    { name: 'Reason', before: null, after: 'why' },
    { name: 'List', before: null, after: 'a' },
    { name: 'None', before: null, after: 'none' },
  ])
})

test('saved settings are described field by field', () => {
  const changes = {
    minDeposit: { before: 10, after: 20 },
    ipWhitelist: { before: [], after: ['::1'] },
  }
  expect(listDetails({ subject: 'settings', changes })).toEqual([
    { name: 'Subject', before: null, after: 'settings' },
    { name: 'Minimum deposit', before: '10', after: '20' },
    { name: 'Allowed IP addresses', before: 'none', after: '::1' },
  ])
})

test('only the fields that differ are described', () => {
  const before = { bank: 'Hill Bank', accountNumber: '1', extra: null }
  const after = { bank: 'Hill Bank', accountNumber: '2' }
  expect(listDetails({ before, after })).toEqual([
    { name: 'Account number', before: '1', after: '2' },
  ])
})

test('a created or deleted object is described field by field', () => {
  const object = { bank: 'Hill Bank', minimumMinor: 1_050, contact: { phone: null } }
  expect(listDetails({ reason: 'why', after: object })).toEqual([
    { name: 'Reason', before: null, after: 'why' },
    { name: 'Bank', before: null, after: 'Hill Bank' },
    { name: 'Minimum amount', before: null, after: '$10.50' },
    { name: 'Contact, phone', before: null, after: 'none' },
  ])
  expect(listDetails({ before: { bank: 'Hill Bank' } })).toEqual([
    { name: 'Bank', before: 'Hill Bank', after: 'none' },
  ])
})

test('a changed object is described by its changed parts', () => {
  const contact = {
    before: { phone: '1', email: 'a@example.com' },
    after: { phone: '2', email: 'a@example.com' },
  }
  expect(listDetails({ contact })).toEqual([{ name: 'Contact, phone', before: '1', after: '2' }])
})

test('cents are described in dollars and shares in percent', () => {
  const details = {
    amountMinor: '240000',
    feeMinor: { before: 0, after: 1_050 },
    profitPpm: 400_000,
  }
  expect(listDetails(details)).toEqual([
    { name: 'Amount', before: null, after: '$2,400.00' },
    { name: 'Fee', before: '$0.00', after: '$10.50' },
    { name: 'Profit of the term', before: null, after: '40%' },
  ])
})
