export type Schema = Readonly<Record<string, unknown>>

const DEPTH_MAX = 8
const ID = '01jd8x4zq3kr5v7w9yab'

/** Returns a realistic value that the schema accepts. */
export function createExample(schema: Schema, name = '', depth = 0): unknown {
  if (depth > DEPTH_MAX) return null
  const { type, anyOf, oneOf, allOf } = schema
  if (schema.const !== undefined) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (schema.default !== undefined) return schema.default
  if (Array.isArray(allOf)) {
    const parts = allOf.map((part: Schema) => createExample({ type, ...part }, name, depth + 1))
    return typeof parts[0] === 'object' ? Object.assign({}, ...parts) : parts[0]
  }
  const choices = anyOf ?? oneOf
  if (Array.isArray(choices)) {
    const [first] = choices.filter((choice: Schema) => choice.type !== 'null')
    return first === undefined ? null : createExample(first, name, depth + 1)
  }
  if (type === 'object') return createObjectExample(schema, depth)
  if (type === 'array') return [createExample((schema.items ?? {}) as Schema, name, depth + 1)]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return createNumberExample(schema, name)
  if (type === 'null') return null
  return createTextExample(schema, name)
}

function createObjectExample(schema: Schema, depth: number): unknown {
  const { properties, additionalProperties, propertyNames } = schema
  if (properties === undefined) {
    const isMap = typeof additionalProperties === 'object' && additionalProperties !== null
    if (!isMap) return {}
    const key = readFirstKey(propertyNames)
    return { [key]: createExample(additionalProperties as Schema, key, depth + 1) }
  }
  const entries = Object.entries(properties as Readonly<Record<string, Schema>>)
  return Object.fromEntries(
    entries.map(([key, part]) => [key, createExample(part, key, depth + 1)]),
  )
}

/** Returns a key that the map accepts. A map without a list of keys accepts any key. */
function readFirstKey(propertyNames: unknown): string {
  const isList = typeof propertyNames === 'object' && propertyNames !== null
  const keys: unknown = isList ? (propertyNames as Schema).enum : undefined
  return Array.isArray(keys) ? String(keys[0]) : 'name'
}

function createNumberExample({ type, minimum, exclusiveMinimum }: Schema, name: string): number {
  const known = EXAMPLES_BY_NAME.find(([names]) => names.test(name))?.[1]
  if (typeof known === 'number') return known
  if (type === 'number') return 500
  const least = minimum ?? exclusiveMinimum
  // Zod adds the smallest safe integer as the minimum of each integer. The example ignores such a
  // minimum.
  return typeof least === 'number' && least > -1_000_000 ? Math.max(least, 1) : 1
}

/** Example values by field name. An enum or a default of the schema takes precedence. */
const EXAMPLES_BY_NAME: readonly (readonly [pattern: RegExp, example: unknown])[] = [
  [/^(_?id|plan|user|.*_id|payoutOption|payment_option_id)$/, ID],
  [/gender/i, 'Female'],
  [/phone/i, '+44 20 7946 0100'],
  [/^(country|blockedCountries)$/, 'GB'],
  [/explorerUrl/, 'https://mempool.space/tx/{hash}'],
  [/url$/i, 'https://example.com'],
  [/currency/i, 'USD'],
  [/timezone/i, 'UTC'],
  [/^language$/, 'en-GB'],
  [/ipWhitelist/, '203.0.113.0/24'],
  [/passwordExpiry/, 90],
  [/loginAttempts/, 5],
  [/threshold|WithdrawalLimit/i, '10000.00'],
  [/(deposit|withdrawal)Fee/, 1.5],
  [/min(Deposit|Withdrawal)/, '20.00'],
  [/maxDeposit/, '5000.00'],
  [/^fee$/, 5],
  [/^net$/, 495],
  [/^method$/, 'Bank Transfer'],
  [/amount|assets/i, '500.00'],
  [/(hours|duration)$/i, 24],
  [/percentage|referalBonus|rate/i, 5],
  [/accountType|^payOption$/, 'Others'],
  [/email/i, 'ada@example.com'],
  [/password/i, 'correct horse battery'],
  [/^(name|accountName|person)$/, 'Ada Lovelace'],
  [/seq|size|before/i, '42'],
  [/^riskVersion$/, '2f7c0e8ab1d34965'],
  [/reference/i, '3V7W9YAB2K5XM0QD'],
  [/receipt|link|photo|document/i, '/api/v1/transactions/01jd8x4zq3kr5v7w9yab/receipt'],
  [/hash|root|sha/i, 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  [/token/i, '2vJ0mY5uQk8nR4tX6zB1cw'],
  [/code/i, '123456'],
]

function createTextExample({ format, pattern }: Schema, name: string): string {
  if (format === 'date-time') return '2026-01-05T15:04:00.000Z'
  if (format === 'date') return '2026-01-05'
  if (format === 'uri') return 'https://example.com'
  if (format === 'binary') return '(the file)'
  if (typeof pattern === 'string' && pattern.includes('a-hjkmnp')) return ID
  if (typeof pattern === 'string' && pattern.includes('{4}$')) return '1234'
  if (typeof pattern === 'string' && pattern.includes('[A-Za-z0-9_-]+')) return 'AQIDBAUGBwg'
  const known = EXAMPLES_BY_NAME.find(([names]) => names.test(name))?.[1]
  return known === undefined ? 'A text of some words' : String(known)
}

/** Sample values for the placeholders in messages. */
const PLACEHOLDER_SAMPLES: Readonly<Record<string, string>> = {
  account: 'fees',
  address: '203.0.113.7',
  amount: '$20.00',
  standing: 'closed',
  count: '50',
  day: '2026-01-06',
  details: 'the payout reference BATCH-7',
  decision: 'approved',
  kind: 'market update',
  minutes: '5',
  number: '2',
  pendingMax: '50',
  permission: 'transactions.decide',
  person: 'Ada Lovelace',
  problem: 'No column looks like an amount',
  reason: 'The current state has changed since the request was made',
  reference: 'TX01234567890123',
  seq: '42',
  state: 'rejected',
  status: 'active',
  text: 'Ada',
  time: '2026-01-05T15:04:00.000Z',
  tries: '4 tries',
  type: 'deposit',
  wait: '4 seconds',
}

/** Replaces the placeholders of a message with sample values. */
export function fillPlaceholders(template: string): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const sample = PLACEHOLDER_SAMPLES[name]
    if (sample === undefined) throw new Error(`no sample value for {${name}}`)
    return sample
  })
}
