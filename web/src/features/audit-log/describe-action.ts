import { formatMoney } from '../../shared/money/money.ts'
import { formatPercent } from '../../shared/money/percent.ts'

const MINOR = 'Minor'
const PPM = 'Ppm'
const PPM_OF_A_PERCENT = 10_000

const SPOKEN = new Map([
  ['mfa', 'second factor'],
  ['cli', 'command line'],
  ['faq', 'FAQ'],
])

/**
 * Formats `transaction.approve` as `Transaction: approve`, and `user.reset-mfa` as `User: reset second factor`.
 */
export function describeAction(action: string): string {
  const spoken = action.replace(/\w+/g, (word) => SPOKEN.get(word) ?? word)
  const [noun = '', verb] = spoken.replaceAll('-', ' ').split('.')
  const subject = noun.charAt(0).toUpperCase() + noun.slice(1)
  return verb === undefined ? subject : `${subject}: ${verb}`
}

/** The words after the action; none after a success. */
export function describeResult(result: string): string {
  if (result === 'success') return ''
  return result === 'attempted' ? ' (no result recorded)' : ` (refused: ${result})`
}

/** Formats a value of the audit log as one line of text. */
function describeDetail(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

type DetailLine = { name: string; before: string | null; after: string }

/** Converts `amountMinor` from cents to dollars and `profitPpm` from millionths to percent. */
function formatInUnits(name: string, value: unknown): unknown {
  if (!/^-?\d+$/.test(String(value))) return value
  if (name.endsWith(MINOR)) return formatMoney(BigInt(String(value)))
  if (name.endsWith(PPM)) return formatPercent(Number(value) / PPM_OF_A_PERCENT)
  return value
}

/** Formats `sourceOfReturn` as `Source of return`. */
function describeName(key: string): string {
  const words = key
    .replace(new RegExp(`(${MINOR}|${PPM})$`), '')
    .replace(
      /([a-z])([A-Z])/g,
      (_all, left: string, right: string) => `${left} ${right.toLowerCase()}`,
    )
    .replace(/_/g, ' ')
    .replaceAll('.', ', ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

type Values = Readonly<Record<string, unknown>>

/** Lists each recorded value and, where it replaced another one, the earlier value. */
export function listDetails(details: Values): DetailLine[] {
  const { before, after } = details
  const rest = isValues(before) && isValues(after) ? omit(details, ['before', 'after']) : details
  const replaced = isValues(before) && isValues(after) ? listDifferences(before, after) : []
  const said = Object.entries(rest).flatMap(([key, value]): DetailLine[] => {
    // The changes of a saved form: each field with its old and its new value.
    if (key === 'changes' && isValues(value)) return listDetails(value)
    const name = describeName(key)
    const words = (part: unknown) => describeDetail(formatInUnits(key, part))
    if (isValues(value) && 'before' in value && 'after' in value) {
      return [{ name, before: words(value.before), after: words(value.after) }]
    }
    return [{ name, before: null, after: words(value) }]
  })
  return [...said, ...replaced]
}

/** Lists the values that differ. A value missing in `after` did not change. */
function listDifferences(before: Values, after: Values): DetailLine[] {
  return Object.entries(after).flatMap(([key, value]): DetailLine[] => {
    const words = (part: unknown) => describeDetail(formatInUnits(key, part))
    const [was, is] = [words(before[key]), words(value)]
    return was === is ? [] : [{ name: describeName(key), before: was, after: is }]
  })
}

function omit(details: Values, names: readonly string[]): Values {
  return Object.fromEntries(Object.entries(details).filter(([key]) => !names.includes(key)))
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
