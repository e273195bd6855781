import { findSettingLabel } from '@cairn/gateway-contracts'
import { formatMoney } from '../../shared/money/money.ts'
import { formatPercent } from '../../shared/money/percent.ts'
import { FIELD_LABELS } from './field-labels.ts'

const MINOR = 'Minor'
const PPM = 'Ppm'
const PPM_OF_A_PERCENT = 10_000

/** Formats a value of the audit log as one line of text. */
function describeDetail(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value) && value.every((part) => typeof part !== 'object')) {
    return value.length === 0 ? 'none' : value.join(', ')
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

type DetailLine = { name: string; before: string | null; after: string }

/**
 * Converts amounts in cents to dollars and rates in millionths to percent. The suffix of the name
 * shows the unit.
 */
function formatInUnits(name: string, value: unknown): unknown {
  if (!/^-?\d+$/.test(String(value))) return value
  if (name.endsWith(MINOR)) return formatMoney(BigInt(String(value)))
  if (name.endsWith(PPM)) return formatPercent(Number(value) / PPM_OF_A_PERCENT)
  return value
}

/**
 * Names a field by its label. A change of settings names a field by its path, and an approved
 * change names a field by its label.
 */
function describeName(key: string): string {
  const setting = findSettingLabel(key)
  if (setting !== null) return setting
  return key.split('.').map(describePart).join(', ')
}

function describePart(part: string, place: number): string {
  const labels: Readonly<Record<string, string>> = FIELD_LABELS
  const label = labels[part] ?? part
  return place === 0 ? label : label.charAt(0).toLowerCase() + label.slice(1)
}

type Values = Readonly<Record<string, unknown>>

/**
 * Lists each recorded value and, if it replaced an earlier value, the earlier value. `_id` is not
 * listed, because it equals `id`.
 */
export function listDetails({ before, after, _id: _same, ...rest }: Values): DetailLine[] {
  const others = Object.entries(rest).flatMap(([key, value]) =>
    // `changes` contains each field of a saved form with its old and its new value.
    key === 'changes' && isValues(value) ? listDetails(value) : listLines(key, value),
  )
  if (isValues(before) && isValues(after)) return [...others, ...listDifferences(before, after)]
  return [...others, ...listObject('before', before), ...listObject('after', after)]
}

/** Lists the fields of a created object (`after`) or of a deleted object (`before`). */
function listObject(key: 'before' | 'after', value: unknown): DetailLine[] {
  if (value === null || value === undefined) return []
  if (!isValues(value)) return listLines(key, value)
  if (key === 'after') return listDetails(value)
  return listDifferences(
    value,
    {},
    Object.keys(value).filter((each) => each !== '_id'),
  )
}

/** Lists the values of a field. If the value is an object, its parts are named `field.part`. */
function listLines(key: string, value: unknown): DetailLine[] {
  if (!isValues(value)) {
    return [{ name: describeName(key), before: null, after: describeValue(key, value) }]
  }
  if (!('before' in value && 'after' in value)) {
    return Object.entries(value).flatMap(([part, inner]) => listLines(`${key}.${part}`, inner))
  }
  const { before, after } = value
  if (isValues(before) && isValues(after)) {
    return listDifferences(prefixKeys(key, before), prefixKeys(key, after))
  }
  return [
    {
      name: describeName(key),
      before: describeValue(key, before),
      after: describeValue(key, after),
    },
  ]
}

/**
 * Lists the values that differ. A key that `after` lacks counts as unchanged, unless `keys`
 * contains it.
 */
function listDifferences(
  before: Values,
  after: Values,
  keys: readonly string[] = Object.keys(after),
): DetailLine[] {
  return keys.flatMap((key): DetailLine[] => {
    const [was, is] = [describeValue(key, before[key]), describeValue(key, after[key])]
    return was === is ? [] : [{ name: describeName(key), before: was, after: is }]
  })
}

function describeValue(key: string, value: unknown): string {
  return describeDetail(formatInUnits(key, value))
}

function prefixKeys(prefix: string, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [`${prefix}.${key}`, value]),
  )
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
