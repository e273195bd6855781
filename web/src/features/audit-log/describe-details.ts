import { findSetting, findSettingLabel } from '@cairn/gateway-contracts'
import { formatMinorOf } from '../../shared/money/asset-text.ts'
import { formatMoney, parseMoney } from '../../shared/money/money.ts'
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

/**
 * A field of an object, with the asset of the amounts in this object. All amounts in one object
 * have the same asset.
 */
type Field = { name: string; value: unknown; asset: string; isMoney?: boolean }

type DetailLine = { name: string; before: string | null; after: string }

/**
 * Converts amounts in minor units to whole units, and rates in millionths to percent. The suffix of
 * the field's name shows the unit of the value. An empty asset means the currency of the site. A
 * setting that is an amount, and an amount of an approved change, have their value in whole units.
 */
function formatInUnits({ name, value, asset, isMoney }: Field): unknown {
  if (isMoney === true || findSetting(name)?.control === 'money') {
    const minor = typeof value === 'number' || typeof value === 'string' ? parseMoney(value) : null
    return minor === null ? value : formatMoney(minor)
  }
  if (!/^-?\d+$/.test(String(value))) return value
  if (name.endsWith(MINOR)) return formatMinorOf(asset, BigInt(String(value)))
  if (name.endsWith(PPM)) return formatPercent(Number(value) / PPM_OF_A_PERCENT)
  return value
}

/**
 * Returns the label of a field. In a change of settings, the key is the path of the field. In an
 * approved change, the key is already the label.
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
  const asset = findAsset(rest)
  const others = Object.entries(rest).flatMap(([name, value]) =>
    // `changes` contains each field of a saved form with its old and its new value.
    name === 'changes' && isValues(value) ? listDetails(value) : listLines({ name, value, asset }),
  )
  if (isValues(before) && isValues(after)) return [...others, ...listDifferences(before, after)]
  return [...others, ...listObject('before', before), ...listObject('after', after)]
}

/** Lists the fields of a created object (`after`) or of a deleted object (`before`). */
function listObject(key: 'before' | 'after', value: unknown): DetailLine[] {
  if (value === null || value === undefined) return []
  if (!isValues(value)) return listLines({ name: key, value, asset: '' })
  if (key === 'after') return listDetails(value)
  return listDifferences(
    value,
    {},
    Object.keys(value).filter((each) => each !== '_id'),
  )
}

/** Lists the values of a field. If the value is an object, its parts are named `field.part`. */
function listLines({ name: key, value, asset }: Field): DetailLine[] {
  const describe = (part: unknown) => describeValue({ name: key, value: part, asset })
  if (!isValues(value)) {
    return [{ name: describeName(key), before: null, after: describe(value) }]
  }
  if (!('before' in value && 'after' in value)) {
    return Object.entries(value).flatMap(([part, inner]) =>
      listLines({ name: `${key}.${part}`, value: inner, asset: findAsset(value) || asset }),
    )
  }
  const { before, after, type } = value
  if (isValues(before) && isValues(after)) {
    return listDifferences(prefixKeys(key, before), prefixKeys(key, after))
  }
  const isMoney = type === 'money'
  const describeSide = (side: unknown) => describeValue({ name: key, value: side, asset, isMoney })
  return [{ name: describeName(key), before: describeSide(before), after: describeSide(after) }]
}

/**
 * Returns the asset that an object names for its amounts. Returns an empty text if the object names
 * no asset.
 */
function findAsset({ asset }: Values): string {
  return typeof asset === 'string' ? asset : ''
}

/**
 * Lists the values that differ between `before` and `after`. A key that `after` lacks counts as
 * unchanged, unless `keys` contains it.
 */
function listDifferences(
  before: Values,
  after: Values,
  keys: readonly string[] = Object.keys(after),
): DetailLine[] {
  return keys.flatMap((key): DetailLine[] => {
    const describe = (values: Values) =>
      describeValue({ name: key, value: values[key], asset: findAsset(values) })
    const [was, is] = [describe(before), describe(after)]
    return was === is ? [] : [{ name: describeName(key), before: was, after: is }]
  })
}

function describeValue(field: Field): string {
  return describeDetail(formatInUnits(field))
}

function prefixKeys(prefix: string, values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [`${prefix}.${key}`, value]),
  )
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
