/**
 * Canonical JSON as RFC 8785 (JCS) has it, over the few values an event may hold: text, booleans,
 * null, arrays and objects. Whole numbers become strings of digits, so no reader ever has to agree
 * on how a float is written.
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

/** Whether it is ASCII that JSON writes as it is, as nearly every text of an event. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text)
}

const PLAIN = /^[ !#-[\]-~]*$/

function canonicalText(text: string): string {
  if (isPlain(text)) return `"${text}"`
  if (!text.isWellFormed()) throw new NotCanonical('text is not well-formed Unicode')
  // PostgreSQL stores no U+0000 in text, so a copy could not be compared with the bytes.
  if (text.includes('\u0000')) throw new NotCanonical('text holds the character U+0000')
  return JSON.stringify(text)
}
