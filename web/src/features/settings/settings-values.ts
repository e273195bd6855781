import { type Control, findSettingLabel, type Group, settings } from '@cairn/gateway-contracts'

import { toAmountText, toMinor } from '../../shared/money/money.ts'
import type { AdminSettings, SettingsBody } from './admin-queries.ts'

export const TABS = ['general', 'security', 'notifications', 'payment'] as const
export type SettingsTab = (typeof TABS)[number]

/**
 * The value of a setting in the form. A number is the text that the user typed. A missing value is
 * the empty text.
 */
type FormValue<Answer> = Answer extends boolean | string | readonly unknown[]
  ? Answer
  : Answer extends number | null
    ? string
    : { [Name in keyof Answer]: FormValue<Answer[Name]> }

export type SettingsValues = FormValue<Omit<AdminSettings, 'version'>>

export function toSettingsValues(saved: AdminSettings): SettingsValues {
  const tabs = TABS.map((tab) => {
    const values = Object.entries(settings[tab] as Group).map(([name, { control }]) => {
      const value = (saved[tab] as Readonly<Record<string, unknown>>)[name]
      return [name, toFormValue(value, control)]
    })
    return [tab, Object.fromEntries(values)]
  })
  // The cast is safe because the descriptors have the keys of the saved settings.
  return Object.fromEntries(tabs) as SettingsValues
}

function toFormValue(value: unknown, control: Control): unknown {
  if (value === null) return ''
  if (typeof value === 'number') return control === 'money' ? formatAmount(value) : String(value)
  if (typeof value !== 'object' || Array.isArray(value)) return value
  const parts = Object.entries(value).map(([name, part]) => [name, toFormValue(part, control)])
  return Object.fromEntries(parts)
}

/** Formats an amount such as `10` or `10.50`. Whole dollars have no decimals. */
function formatAmount(amount: number): string {
  return toAmountText(toMinor(amount)).replace(/\.00$/, '')
}

/**
 * Leaves out the empty addresses of the legal texts, which release 0.9.0 does not know and refuses.
 * A setting that is not sent keeps its value, so an address that was saved is sent also if it is
 * empty now.
 */
export function toSettingsBody(
  values: SettingsValues,
  saved: Pick<AdminSettings, 'general' | 'version'>,
  confirm: boolean,
): SettingsBody {
  const { termsUrl, privacyUrl, ...general } = values.general
  return {
    ...values,
    general: {
      ...general,
      ...((termsUrl !== '' || saved.general.termsUrl !== null) && { termsUrl }),
      ...((privacyUrl !== '' || saved.general.privacyUrl !== null) && { privacyUrl }),
    },
    version: saved.version,
    ...(confirm && { confirm }),
  }
}

/**
 * Returns the tab that contains a field; null for an unknown field. `name` is the last part of the
 * field's path, as in the server's errors.
 */
export function findTab(name: string, values: SettingsValues): SettingsTab | null {
  return TABS.find((tab) => listLeafNames(values[tab]).includes(name)) ?? null
}

function listLeafNames(group: object): string[] {
  return Object.entries(group).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? [name, ...listLeafNames(value)]
      : [name],
  )
}

type Issue = { path: PropertyKey[]; message: string }

/**
 * Returns the first message for each field, keyed by the last name in the path of the field. The
 * server's answer uses the same keys.
 */
export function collectErrors(issues: readonly Issue[]): Record<string, string> {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) {
    const name = path.findLast((part) => typeof part === 'string')
    if (name !== undefined) errors[name] ??= message
  }
  return errors
}

/** Returns the label that the field of a setting has in the form. */
export function describeSettingPath(path: string): string {
  return findSettingLabel(path) ?? path
}

export type Difference = { name: string; saved: unknown; yours: unknown }

/** Lists the parts of a changed object, because each part has a field of its own in the form. */
export function listFieldDifferences({ name, saved, yours }: Difference): Difference[] {
  if (!isGroup(saved) || !isGroup(yours)) return [{ name, saved, yours }]
  return Object.keys(yours)
    .map((part) => ({ name: `${name}.${part}`, saved: saved[part], yours: yours[part] }))
    .filter((each) => JSON.stringify(each.saved) !== JSON.stringify(each.yours))
}

function isGroup(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Formats a value of a setting for the list of conflicts. */
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
