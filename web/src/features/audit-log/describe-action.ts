import { formatMoney } from '../../shared/money/money.ts'
import { formatPercent } from '../../shared/money/percent.ts'

const MINOR = 'Minor'
const PPM = 'Ppm'
const PPM_OF_A_PERCENT = 10_000

/** The labels of fields whose names are not words that people use. */
const LABELS: Readonly<Record<string, string>> = {
  q: 'Search',
  ip: 'IP address',
  ipWhitelist: 'Allowed IP addresses',
  via: 'Sent from',
  mfa: 'Second factor',
  faq: 'FAQ',
  siteUrl: 'Site URL',
  payOption: 'Payment method',
  pay_option: 'Payment method',
  bank_id: 'Bank account',
  wallet_type: 'Wallet',
  planDuration: 'Duration',
  timingParameter: 'Unit of the duration',
  profitPpm: 'Profit of the term',
  referralPpm: 'Referral bonus',
  referalBonus: 'Referral bonus',
  minDeposit: 'Minimum deposit',
  minWithdrawal: 'Minimum withdrawal',
  maxDeposit: 'Maximum deposit',
  minimumMinor: 'Minimum amount',
  maximumMinor: 'Maximum amount',
  returnPrincipal: 'Principal is returned',
  displayStatus: 'Shown to investors',
  seq: 'Event number',
  userId: 'User ID',
  investorId: 'Investor ID',
  adminId: 'Administrator ID',
  requestId: 'Request ID',
  bytes: 'Size in bytes',
  sha256: 'SHA-256 hash',
  txHash: 'Transaction hash',
  tx_hash: 'Transaction hash',
  passwordExpiry: 'Password expiry (days)',
  sessionTimeout: 'Session timeout (minutes)',
  isMfaRequired: 'Second factor is required',
}

const WORDS = new Map([
  ['mfa', 'second factor'],
  ['cli', 'command line'],
  ['faq', 'FAQ'],
])

/**
 * Formats `transaction.approve` as `Transaction: approve`, and `user.reset-mfa` as `User: reset
 * second factor`.
 */
export function describeAction(action: string): string {
  const readable = action.replace(/\w+/g, (word) => WORDS.get(word) ?? word)
  const [noun = '', verb] = readable.replaceAll('-', ' ').split('.')
  const subject = noun.charAt(0).toUpperCase() + noun.slice(1)
  return verb === undefined ? subject : `${subject}: ${verb}`
}

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

/** Formats `sourceOfReturn` as `Source of return`. */
function describeName(key: string): string {
  const label = LABELS[key]
  if (label !== undefined) return label
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

/** Lists each recorded value and, if it replaced an earlier value, the earlier value. */
export function listDetails({ before, after, ...rest }: Values): DetailLine[] {
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
  return key === 'after' ? listDetails(value) : listDifferences(value, {}, Object.keys(value))
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
