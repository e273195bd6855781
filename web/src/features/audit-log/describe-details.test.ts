import { expect, test } from 'vitest'

import { listDetails } from './describe-details.ts'

test('a change is described with the replaced value', () => {
  expect(
    listDetails({ status: { before: 'a', after: 'b' }, reason: 'why', roles: ['a'], note: null }),
  ).toEqual([
    { name: 'Status', before: 'a', after: 'b' },
    { name: 'Reason', before: null, after: 'why' },
    { name: 'Roles', before: null, after: 'a' },
    { name: 'Note', before: null, after: 'none' },
  ])
})

test('saved settings are described field by field, with the labels of the form', () => {
  const changes = {
    'payment.minDeposit': { before: 10, after: 20.5 },
    'payment.dailyWithdrawalLimit': { before: null, after: 5000 },
    'payment.coolingOffHours': { before: 10, after: 20 },
    'security.ipWhitelist': { before: [], after: ['::1'] },
    'general.contact': {
      before: { phone: '1', email: 'a@example.com' },
      after: { phone: '2', email: 'a@example.com' },
    },
  }
  expect(listDetails({ subject: 'settings', changes })).toEqual([
    { name: 'Subject', before: null, after: 'settings' },
    { name: 'Minimum deposit', before: '$10.00', after: '$20.50' },
    { name: 'Daily withdrawal limit per investor', before: 'none', after: '$5,000.00' },
    { name: 'Cooling-off period (hours)', before: '10', after: '20' },
    { name: 'IP addresses allowed in the admin area', before: 'none', after: '::1' },
    { name: 'Phone', before: '1', after: '2' },
  ])
})

test('an amount of an approved change is described in dollars', () => {
  const changes = {
    'Minimum deposit': { type: 'money', before: '10.00', after: '2500.50' },
    'Password attempts': { before: '5', after: '7' },
  }
  expect(listDetails({ changes })).toEqual([
    { name: 'Minimum deposit', before: '$10.00', after: '$2,500.50' },
    { name: 'Password attempts', before: '5', after: '7' },
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
  const object = { _id: '1', bank: 'Hill Bank', terms: { minimumMinor: 1_050, maximumMinor: null } }
  expect(listDetails({ reason: 'why', after: object })).toEqual([
    { name: 'Reason', before: null, after: 'why' },
    { name: 'Bank', before: null, after: 'Hill Bank' },
    { name: 'Terms, minimum amount', before: null, after: '$10.50' },
    { name: 'Terms, maximum amount', before: null, after: 'none' },
  ])
  expect(listDetails({ before: { bank: 'Hill Bank' } })).toEqual([
    { name: 'Bank', before: 'Hill Bank', after: 'none' },
  ])
})

test('a changed object is described by its changed parts', () => {
  const terms = {
    before: { duration: '1', unit: 'days' },
    after: { duration: '2', unit: 'days' },
  }
  expect(listDetails({ terms })).toEqual([{ name: 'Terms, duration', before: '1', after: '2' }])
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

test('an amount beside an asset has the decimals of the asset', () => {
  expect(listDetails({ asset: 'BTC/8', amountMinor: '12345' })).toEqual([
    { name: 'Asset', before: null, after: 'BTC/8' },
    { name: 'Amount', before: null, after: '0.00012345 BTC' },
  ])
  expect(listDetails({ after: { asset: 'JPY/0', amountMinor: 700 } })[1]?.after).toBe('700 JPY')
  expect(listDetails({ moved: { asset: 'EUR/2', amountMinor: '-5' } })[1]?.after).toBe('-0.05 EUR')
})
