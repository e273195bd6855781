import { type AdminSettings, SettingsForm } from '@cairn/gateway-contracts'
import { expect, test } from 'vitest'

import {
  collectErrors,
  describeSettingPath,
  describeValue,
  findTab,
  listFieldDifferences,
  toSettingsBody,
  toSettingsValues,
} from './settings-values.ts'

const saved: AdminSettings = {
  general: {
    siteName: 'Cairn',
    siteUrl: 'https://cairn.example',
    defaultCurrency: 'USD',
    maintenanceMode: false,
    timezone: 'UTC',
    legalName: null,
    termsUrl: null,
    privacyUrl: null,
    contact: { phone: null, email: 'desk@cairn.example', address: null },
    translationWidget: false,
    riskTexts: [{ country: 'GB', text: 'Read this.' }],
    riskBanner: { isShown: true, text: 'You may lose money.' },
  },
  security: {
    twoFactorAuth: true,
    adminPasskey: false,
    loginAttempts: 5,
    passwordExpiry: 90,
    ipWhitelist: ['10.0.0.0/8'],
    autoApproveUsers: false,
    approvalThreshold: 1000.5,
    bankCoolingHours: 24,
    credentialHoldHours: 24,
    stepUpMinutes: 15,
  },
  notifications: {
    emailNotifications: true,
    adminEmail: null,
    newUserNotification: true,
    depositNotification: true,
    withdrawalNotification: true,
    auditorEmails: [],
  },
  payment: {
    depositFee: 0.5,
    withdrawalFee: 0,
    minDeposit: 10,
    minWithdrawal: 20,
    paymentMethods: ['bank'],
    coverageMode: 'disclose',
    dailyWithdrawalLimit: 5000,
    monthlyWithdrawalLimit: null,
    coolingOffHours: 0,
    annualRateWarning: 15,
    referral: { enabled: true, blockedCountries: ['GB'] },
  },
  version: 7,
}

test('loaded settings can be sent back unchanged', () => {
  const parsed = SettingsForm.parse(toSettingsBody(toSettingsValues(saved), saved, false))
  expect(parsed).toMatchObject({
    version: 7,
    general: { legalName: null, contact: { phone: null, email: 'desk@cairn.example' } },
    security: { loginAttempts: 5, approvalThreshold: 100050n },
    payment: { depositFee: 5_000, minDeposit: 1_000n },
  })
  expect(parsed.confirm).toBeUndefined()
})

test('an empty address of a legal text is sent only to remove an address', () => {
  const values = toSettingsValues(saved)
  expect(toSettingsBody(values, saved, false).general).not.toHaveProperty('termsUrl')
  const published = { ...saved, general: { ...saved.general, termsUrl: 'https://a.example' } }
  const { general } = toSettingsBody(values, published, false)
  expect(general.termsUrl).toBe('')
  expect(general).not.toHaveProperty('privacyUrl')
})

test('the page reports the same errors as the server, by the same names', () => {
  const values = toSettingsValues(saved)
  values.general.contact.email = 'nobody'
  values.security.loginAttempts = '11'
  values.security.ipWhitelist = ['10.0.0.0/8', 'here']
  values.payment.depositFee = '10.1'
  const { error } = SettingsForm.safeParse(toSettingsBody(values, saved, false))
  const errors = collectErrors(error?.issues ?? [])
  expect(Object.keys(errors).sort()).toEqual([
    'depositFee',
    'email',
    'ipWhitelist',
    'loginAttempts',
  ])
  expect(Object.keys(errors).map((name) => findTab(name, values))).toEqual([
    'general',
    'security',
    'security',
    'payment',
  ])
  expect(findTab('version', values)).toBeNull()
})

test('a conflict names the field as the form does', () => {
  expect(describeSettingPath('payment.minWithdrawal')).toBe('Minimum withdrawal')
  expect(describeSettingPath('general.contact.phone')).toBe('Phone')
  expect([true, null, [], ['a', 'b'], 3].map(describeValue)).toEqual([
    'on',
    'nothing',
    'nothing',
    'a, b',
    '3',
  ])
})

test('a conflict of an object lists only the fields that differ', () => {
  const name = 'general.contact'
  const saved = { phone: '1', email: 'a@example.com' }
  expect(
    listFieldDifferences({ name, saved, yours: { phone: '2', email: 'a@example.com' } }),
  ).toEqual([{ name: 'general.contact.phone', saved: '1', yours: '2' }])
  const list = { name: 'payment.paymentMethods', saved: ['bank'], yours: [] }
  expect(listFieldDifferences(list)).toEqual([list])
})
