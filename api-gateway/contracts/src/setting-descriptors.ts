import { generalSettings } from './general-settings.ts'
import { notificationSettings } from './notification-settings.ts'
import { paymentSettings } from './payment-settings.ts'
import { securitySettings } from './security-settings.ts'
import type { Group, Setting } from './setting-kinds.ts'

/** The settings, grouped by the tabs of the settings page and in the order of the page. */
export const settings = {
  general: generalSettings,
  security: securitySettings,
  notifications: notificationSettings,
  payment: paymentSettings,
} as const

const groups: Readonly<Record<string, Group>> = settings

/** Returns the descriptor of a setting by its path, such as `security.loginAttempts`. */
export function findSetting(path: string): Setting | null {
  const [group = '', name = ''] = path.split('.')
  return groups[group]?.[name] ?? null
}

/**
 * Returns the label of a setting by its path, or of a part of a setting, such as
 * `general.contact.phone`. Returns null for an unknown path.
 */
export function findSettingLabel(path: string): string | null {
  const setting = findSetting(path)
  const part = path.split('.')[2]
  return (part === undefined ? setting?.label : setting?.parts?.[part]) ?? null
}
