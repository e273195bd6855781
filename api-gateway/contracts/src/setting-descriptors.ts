import { generalSettings } from './general-settings.ts'
import { notificationSettings } from './notification-settings.ts'
import { paymentSettings } from './payment-settings.ts'
import { securitySettings } from './security-settings.ts'

/** The settings, grouped by the tabs of the settings page and in the order of the page. */
export const settings = {
  general: generalSettings,
  security: securitySettings,
  notifications: notificationSettings,
  payment: paymentSettings,
} as const
