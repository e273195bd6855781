import type { PaymentMethod } from '@cairn/gateway-contracts'

import { toAmountText, toMinor } from '../../shared/money/money.ts'
import type { AdminSettings, SettingsBody } from './admin-queries.ts'

/** The form values: numbers and amounts as typed text. */
export type SettingsValues = {
  general: {
    siteName: string
    siteUrl: string
    defaultCurrency: string
    maintenanceMode: boolean
    timezone: string
    legalName: string
    contact: { phone: string; email: string; address: string }
    translationWidget: boolean
    riskBanner: { isShown: boolean; text: string }
    riskTexts: { country: string; text: string }[]
  }
  security: {
    twoFactorAuth: boolean
    loginAttempts: string
    passwordExpiry: string
    ipWhitelist: string[]
    autoApproveUsers: boolean
    approvalThreshold: string
    bankCoolingHours: string
    credentialHoldHours: string
    stepUpMinutes: string
  }
  notifications: {
    emailNotifications: boolean
    adminEmail: string
    newUserNotification: boolean
    depositNotification: boolean
    withdrawalNotification: boolean
    auditorEmails: string[]
  }
  payment: {
    depositFee: string
    withdrawalFee: string
    minDeposit: string
    minWithdrawal: string
    dailyWithdrawalLimit: string
    monthlyWithdrawalLimit: string
    paymentMethods: PaymentMethod[]
    coverageMode: 'disclose' | 'strict'
    coolingOffHours: string
    annualRateWarning: string
    referral: { enabled: boolean; blockedCountries: string[] }
  }
}

export function valuesOf(saved: AdminSettings): SettingsValues {
  const { general, security, notifications, payment } = saved
  const { phone, email, address } = general.contact
  return {
    general: {
      ...general,
      legalName: general.legalName ?? '',
      contact: { phone: phone ?? '', email: email ?? '', address: address ?? '' },
    },
    security: {
      ...security,
      loginAttempts: String(security.loginAttempts),
      passwordExpiry: String(security.passwordExpiry),
      approvalThreshold: formatOptionalAmount(security.approvalThreshold),
      bankCoolingHours: String(security.bankCoolingHours),
      credentialHoldHours: String(security.credentialHoldHours),
      stepUpMinutes: String(security.stepUpMinutes),
    },
    notifications: { ...notifications, adminEmail: notifications.adminEmail ?? '' },
    payment: {
      ...payment,
      depositFee: String(payment.depositFee),
      withdrawalFee: String(payment.withdrawalFee),
      minDeposit: amountOf(payment.minDeposit),
      minWithdrawal: amountOf(payment.minWithdrawal),
      dailyWithdrawalLimit: formatOptionalAmount(payment.dailyWithdrawalLimit),
      monthlyWithdrawalLimit: formatOptionalAmount(payment.monthlyWithdrawalLimit),
      coolingOffHours: String(payment.coolingOffHours),
      annualRateWarning: String(payment.annualRateWarning),
    },
  }
}

/** Formats `10` and `10.50`: no decimals for whole dollars. */
function amountOf(amount: number): string {
  return toAmountText(toMinor(amount)).replace(/\.00$/, '')
}

function formatOptionalAmount(amount: number | null): string {
  return amount === null ? '' : amountOf(amount)
}

export function bodyOf(values: SettingsValues, version: number, confirm: boolean): SettingsBody {
  return { ...values, version, ...(confirm ? { confirm } : {}) }
}

export const TABS = ['general', 'security', 'notifications', 'payment'] as const
export type SettingsTab = (typeof TABS)[number]

/** Returns the tab of a field by the leaf name that the server uses; null for an unknown field. */
export function tabOf(name: string, values: SettingsValues): SettingsTab | null {
  return TABS.find((tab) => leavesOf(values[tab]).includes(name)) ?? null
}

function leavesOf(group: object): string[] {
  return Object.entries(group).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? [name, ...leavesOf(value)]
      : [name],
  )
}

type Issue = { path: PropertyKey[]; message: string }

/** Maps each leaf name to its first message, as the server does. */
export function errorsOf(issues: readonly Issue[]): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) {
    const name = path.findLast((part) => typeof part === 'string')
    if (name !== undefined) errors[name] ??= message
  }
  return errors
}

const NAMES: Record<string, string> = {
  ipWhitelist: 'IP whitelist',
  isShown: 'Risk banner',
  text: 'Risk banner text',
  riskTexts: 'Risk warnings of countries',
  enabled: 'Referrals',
}

/** Formats `minWithdrawal` as `Min withdrawal`. */
export function describeField(name: string): string {
  const leaf = name.split('.').at(-1) ?? name
  const words = leaf.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return NAMES[leaf] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** Formats a value of either side of a conflict. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (Array.isArray(value))
    return value.length === 0 ? 'nothing' : value.map(describeItem).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function describeItem(item: unknown): string {
  return typeof item === 'object' && item !== null
    ? Object.values(item).map(String).join(': ')
    : String(item)
}
