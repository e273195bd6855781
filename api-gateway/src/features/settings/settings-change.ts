import {
  type AdminSettings,
  type ChangeLine,
  findSetting,
  readSetting,
  SettingsForm,
} from '@cairn/gateway-contracts'
import { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { CHANGE_ACTOR, type ChangeDefinition, toCommandApproval } from '../change-requests/index.ts'
import type { Author } from './author.ts'
import { applyForm } from './rules-and-content.ts'
import { lockSettings, writeSettings } from './store.ts'

/** The new values by path, such as `security.loginAttempts`, in the units of the settings page. */
export const SettingsPayload = z.strictObject({ values: z.record(z.string(), z.json()) })
export type SettingsPayload = z.infer<typeof SettingsPayload>

/** A setting of the site whose change also sends a command. */
const CURRENCY = 'general.defaultCurrency'

export function createSettingsChange(
  deps: Pick<Dependencies, 'clock' | 'isDemo' | 'ledger' | 'publicUrl' | 'settings'>,
): ChangeDefinition<SettingsPayload> {
  return {
    kind: 'settings',
    payload: SettingsPayload,
    permission: { propose: 'settings.write', approve: 'settings.write' },
    isNeeded: 'with-dual-control',
    getTarget: () => 'settings',
    getTitle: ({ values }) => `Settings: ${Object.keys(values).map(getSettingName).join(', ')}`,
    getLink: () => '/manage/admin/settings',
    listBeneficiaries: () => [],
    hasCommand: ({ values }) =>
      Object.keys(values).some((path) => path === CURRENCY || findSetting(path)?.home === 'ledger'),
    readBefore: async (db, { values }) => {
      const { shown } = await lockSettings(db, deps, deps.clock.now())
      return Object.fromEntries(Object.keys(values).map((path) => [path, readSetting(shown, path)]))
    },
    describeChange: async ({ values }, before) => {
      const old = z.record(z.string(), z.json()).parse(before)
      return Object.entries(values).flatMap(([path, after]) =>
        toLines(path, { before: old[path], after }),
      )
    },
    execute: async (change) => {
      const { trx, payload, key, requestId, createdBy, nowMs } = change
      const before = await lockSettings(trx, deps, nowMs)
      const form = SettingsForm.safeParse(replaceValues(before.shown, payload.values))
      if (!form.success) {
        throw new HttpFailure(409, 'CHANGE_FAILED', 'The new settings are no longer valid')
      }
      const after = applyForm(form.data, before)
      const author: Author = {
        actor: CHANGE_ACTOR,
        key,
        requestId,
        userId: createdBy,
        nowMs,
        approve: (command) => toCommandApproval(change, command),
      }
      await writeSettings(trx, deps, { before, after, author })
    },
    finishChange: () => deps.settings.forget(),
  }
}

function getSettingName(path: string): string {
  return findSetting(path)?.label ?? path
}

/** Returns the settings in the format of the form, with the new values. */
function replaceValues(
  { version: _version, ...shown }: AdminSettings,
  values: SettingsPayload['values'],
): unknown {
  const groups: Record<string, Record<string, unknown>> = {}
  for (const [group, known] of Object.entries(shown)) groups[group] = { ...known }
  for (const [path, value] of Object.entries(values)) {
    const [group = '', name = ''] = path.split('.')
    groups[group] = { ...groups[group], [name]: value }
  }
  return groups
}

/** Returns one line for each changed value, or for each changed field of an object. */
function toLines(
  path: string,
  { before, after }: { before: unknown; after: unknown },
): readonly ChangeLine[] {
  const label = getSettingName(path)
  if (!isObject(before) || !isObject(after)) {
    return [{ label, ...toDisplayedValues(path, { before, after }) }]
  }
  return Object.keys({ ...before, ...after }).flatMap((name) => {
    const [old, fresh] = [before[name], after[name]]
    if (JSON.stringify(old) === JSON.stringify(fresh)) return []
    return [{ label: `${label}: ${name}`, type: 'text', before: toText(old), after: toText(fresh) }]
  })
}

function toDisplayedValues(
  path: string,
  { before, after }: { before: unknown; after: unknown },
): Omit<ChangeLine, 'label'> {
  const setting = findSetting(path)
  if (setting?.control === 'money') {
    return { type: 'money', before: toMoney(before), after: toMoney(after) }
  }
  const names = new Map(setting?.options?.() ?? [])
  const getValueName = (value: unknown) => names.get(String(value)) ?? toText(value)
  return { type: 'text', before: getValueName(before), after: getValueName(after) }
}

function toMoney(value: unknown): string | null {
  return typeof value === 'number' ? value.toFixed(2) : null
}

function toText(value: unknown): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  if (Array.isArray(value)) {
    return value.length === 0 ? null : value.map((item) => toText(item)).join(', ')
  }
  if (isObject(value)) {
    return Object.entries(value)
      .map(([name, part]) => `${name}: ${toText(part) ?? 'empty'}`)
      .join(', ')
  }
  return String(value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
