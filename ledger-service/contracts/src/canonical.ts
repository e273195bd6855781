/**
 * Canonical JSON (RFC 8785, JCS) of the values that an event may contain: text, booleans, null,
 * arrays and objects. Integers become strings of digits, so readers need no common float format.
 * Throws `NotCanonical` for any other value.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return canonicalText(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'bigint':
      return `"${value}"`
    case 'number':
      if (!Number.isSafeInteger(value)) throw new NotCanonical(`${value} is not a whole number`)
      return `"${value}"`
    case 'object':
      if (value === null) return 'null'
      return Array.isArray(value)
        ? `[${value.map(canonicalJson).join(',')}]`
        : canonicalObject(value as Record<string, unknown>)
    default:
      throw new NotCanonical(`${typeof value} has no canonical form`)
  }
}

export class NotCanonical extends Error {
  override readonly name = 'NotCanonical'
}

function canonicalObject(object: Record<string, unknown>): string {
  let members = ''
  for (const key of Object.keys(object).sort()) {
    const comma = members === '' ? '' : ','
    members += `${comma}${canonicalText(key)}:${canonicalJson(object[key])}`
  }
  return `{${members}}`
}

/** True if the text is ASCII that JSON does not escape. Nearly all texts of events are. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text)
}

const PLAIN = /^[ !#-[\]-~]*$/

function canonicalText(text: string): string {
  if (isPlain(text)) return `"${text}"`
  if (!text.isWellFormed()) throw new NotCanonical('text is not well-formed Unicode')
  // PostgreSQL cannot store U+0000 in text, so no column could equal the bytes.
  if (text.includes('\u0000')) throw new NotCanonical('text holds the character U+0000')
  return JSON.stringify(text)
}
