import type { AdminSettings } from '@cairn/gateway-contracts'
import { expectOk } from '../scene.ts'
import { type Reply, send } from '../test-gateway.ts'
import type { World } from './world.ts'

/** A change of one field of the settings form. */
export interface FieldChange {
  group: 'general' | 'notifications' | 'payment' | 'security'
  name: string
  value: unknown
  isWeaker: boolean
}
type Field = readonly [group: FieldChange['group'], name: string, value: unknown]

const WEAKER: readonly Field[] = [
  ['security', 'approvalThreshold', 1_000_000],
  ['security', 'approvalThreshold', null],
  ['security', 'twoFactorAuth', false],
  ['security', 'adminPasskey', false],
  ['security', 'stepUpMinutes', 480],
  ['security', 'loginAttempts', 10],
  ['security', 'passwordExpiry', 365],
  ['security', 'ipWhitelist', []],
  ['security', 'ipWhitelist', ['127.0.0.1', '0.0.0.0/0']],
  ['security', 'autoApproveUsers', true],
  ['security', 'bankCoolingHours', 0],
  ['security', 'credentialHoldHours', 0],
  ['payment', 'dailyWithdrawalLimit', null],
  ['payment', 'dailyWithdrawalLimit', 1_000_000_000],
  ['payment', 'monthlyWithdrawalLimit', null],
  ['payment', 'coolingOffHours', 0],
  ['payment', 'coverageMode', 'disclose'],
  ['payment', 'annualRateWarning', 1_000],
  ['general', 'siteUrl', 'https://foreign.example'],
  ['notifications', 'emailNotifications', false],
  ['notifications', 'newUserNotification', false],
  ['notifications', 'depositNotification', false],
  ['notifications', 'withdrawalNotification', false],
  ['notifications', 'adminEmail', 'foreign@example.com'],
  ['payment', 'referral', { enabled: true, blockedCountries: ['GB'] }],
  ['payment', 'referral', { enabled: false, blockedCountries: [] }],
]
/** Changes that strengthen a control, and changes to settings that are not controls. */
const OTHERS: readonly Field[] = [
  ['security', 'approvalThreshold', 600],
  ['security', 'stepUpMinutes', 5],
  ['security', 'loginAttempts', 2],
  ['security', 'bankCoolingHours', 72],
  ['payment', 'dailyWithdrawalLimit', 50_000],
  ['payment', 'coolingOffHours', 48],
  ['payment', 'annualRateWarning', 5],
  ['payment', 'depositFee', 3],
  ['general', 'siteName', 'Another name'],
]

export const FIELD_CHANGES: readonly FieldChange[] = [...WEAKER, ...OTHERS].map(
  ([group, name, value], place) => ({ group, name, value, isWeaker: place < WEAKER.length }),
)

/** Saves the form with these changes, as the page does. */
export async function saveFields(
  { gateway, admin }: Pick<World, 'gateway' | 'admin'>,
  changes: readonly FieldChange[],
): Promise<Reply> {
  const path = '/admin/settings'
  const reading = await send(gateway, admin, { method: 'GET', path })
  // A previous call of the sequence can have locked the administrator out.
  if (reading.status !== 200) return reading
  const read = await expectOk<{ settings: AdminSettings }>(Promise.resolve(reading))
  const { version: _version, ...settings } = read.settings
  for (const { group, name, value } of changes) Reflect.set(settings[group], name, value)
  return send(gateway, admin, { method: 'POST', path, body: { ...settings, confirm: true } })
}
