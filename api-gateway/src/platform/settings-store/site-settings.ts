import { type Group, getStoredShape, settings } from '@cairn/gateway-contracts'
import { z } from 'zod'
import { createCachedValue } from '../cache.ts'
import type { Database } from '../database/database.ts'
import { type AllowList, createAllowList } from '../http/allow-list.ts'
import { setSiteFormat } from '../site-format.ts'
import { RISK_WARNING } from './site.ts'

/**
 * Maximum age of the cached settings in milliseconds. A change is in force in all processes within
 * a second.
 */
const FRESH_MS = 500

/** The settings that the gateway stores. The money rules are in the ledger. */
export const StoredSettings = z.object({
  general: z.object(getStoredShape(settings.general)),
  security: z.object(getStoredShape(settings.security)),
  notifications: z.object(getStoredShape(settings.notifications)),
  payment: z
    .object(getStoredShape(settings.payment))
    .extend({ blockedCountries: settings.payment.referral.answer.shape.blockedCountries }),
})
export type StoredSettings = z.infer<typeof StoredSettings>

export interface SiteSettings extends StoredSettings {
  version: number
  updatedAt: Date | null
  allowList: AllowList
}

export interface Settings {
  /** Returns the settings, which are at most half a second old. */
  read(): Promise<SiteSettings>
  /**
   * Deletes the cached settings. Call this function after this process has changed the settings.
   */
  forget(): void
}

export interface SettingsOrigin {
  isDemo: boolean
  publicUrl: string
}

export function createSettings(db: Database, origin: SettingsOrigin): Settings {
  return createCachedValue(FRESH_MS, () => loadSettings(db, origin))
}

async function loadSettings(db: Database, origin: SettingsOrigin): Promise<SiteSettings> {
  const row = await db
    .selectFrom('platform.setting')
    .select(['version', 'content', 'updated_at'])
    .where('id', '=', 'site')
    .executeTakeFirst()
  const stored = addDefaults(row?.content, origin)
  const { defaultCurrency: currency, timezone: timeZone } = stored.general
  setSiteFormat({ currency, timeZone })
  return {
    ...stored,
    version: row?.version ?? 0,
    updatedAt: row?.updated_at ?? null,
    allowList: createAllowList(stored.security.ipWhitelist),
  }
}

/** Adds defaults for new settings that the stored row does not contain. */
export function addDefaults(content: unknown, origin: SettingsOrigin): StoredSettings {
  const defaults = createDefaultSettings(origin)
  // The cast is safe because only parsed settings are stored. The content is undefined if no row
  // exists.
  const groups = (content ?? {}) as Partial<Record<keyof StoredSettings, object>>
  return StoredSettings.parse({
    general: { ...defaults.general, ...groups.general },
    security: { ...defaults.security, ...groups.security },
    notifications: { ...defaults.notifications, ...groups.notifications },
    payment: { ...defaults.payment, ...groups.payment },
  })
}

export function createDefaultSettings({ isDemo, publicUrl }: SettingsOrigin): StoredSettings {
  return StoredSettings.parse({
    general: {
      ...getDefaults(settings.general, isDemo),
      siteUrl: publicUrl,
      riskBanner: { isShown: true, text: RISK_WARNING },
      // The regulator of the United Kingdom prescribes this text.
      riskTexts: [{ country: 'GB', text: RISK_WARNING }],
    },
    security: getDefaults(settings.security, isDemo),
    notifications: getDefaults(settings.notifications, isDemo),
    payment: { ...getDefaults(settings.payment, isDemo), blockedCountries: ['GB'] },
  })
}

function getDefaults(group: Group, isDemo: boolean): Record<string, unknown> {
  const entries = Object.entries(group).map(([name, { initial, initialInDemo }]) => [
    name,
    isDemo ? (initialInDemo ?? initial) : initial,
  ])
  return Object.fromEntries(entries)
}
