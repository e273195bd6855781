import type { AdminSettings } from '@cairn/gateway-contracts'
import { ok } from '../scene.ts'
import { type Reply, send } from '../test-gateway.ts'
import type { World } from './world.ts'

/** One field of the settings form with another value, by the choice of the administrator. */
type FieldChange = readonly ['general' | 'notifications' | 'payment' | 'security', string, unknown]

/** Weaker and stronger values of each control, and values that are no control. */
export const FIELD_CHANGES: readonly FieldChange[] = [
  ['security', 'approvalThreshold', 1_000_000],
  ['security', 'approvalThreshold', null],
  ['security', 'approvalThreshold', 600],
  ['security', 'stepUpMinutes', 480],
  ['security', 'stepUpMinutes', 5],
  ['security', 'loginAttempts', 10],
  ['security', 'loginAttempts', 2],
  ['security', 'passwordExpiry', 365],
  ['security', 'ipWhitelist', []],
  ['security', 'ipWhitelist', ['127.0.0.1', '0.0.0.0/0']],
  ['security', 'autoApproveUsers', true],
  ['security', 'bankCoolingHours', 0],
  ['security', 'bankCoolingHours', 72],
  ['security', 'credentialHoldHours', 0],
  ['payment', 'dailyWithdrawalLimit', null],
  ['payment', 'dailyWithdrawalLimit', 1_000_000_000],
  ['payment', 'dailyWithdrawalLimit', 50_000],
  ['payment', 'monthlyWithdrawalLimit', null],
  ['payment', 'coolingOffHours', 0],
  ['payment', 'coolingOffHours', 48],
  ['payment', 'coverageMode', 'disclose'],
  ['payment', 'annualRateWarning', 1_000],
  ['payment', 'annualRateWarning', 5],
  ['payment', 'depositFee', 3],
  ['general', 'siteUrl', 'https://foreign.example'],
  ['general', 'siteName', 'Another name'],
  ['notifications', 'emailNotifications', false],
]

/** Saves the form with two changed fields, as the page does. */
export async function saveTwoFields(
  { gateway, admin }: Pick<World, 'gateway' | 'admin'>,
  { one, other }: { one: number; other: number },
): Promise<Reply> {
  const path = '/admin/settings'
  const reading = await send(gateway, admin, { method: 'GET', path })
  // The administrator may have locked everybody out before.
  if (reading.status !== 200) return reading
  const read = await ok<{ settings: AdminSettings }>(Promise.resolve(reading))
  const { version: _version, ...settings } = read.settings
  for (const place of [one, other]) {
    const [group, name, value] = FIELD_CHANGES[place % FIELD_CHANGES.length] ?? []
    if (group !== undefined && name !== undefined) Reflect.set(settings[group], name, value)
  }
  return send(gateway, admin, { method: 'POST', path, body: { ...settings, confirm: true } })
}
