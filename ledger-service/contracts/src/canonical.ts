/**
 * Returns the canonical JSON (RFC 8785) of text, booleans, null, arrays, objects and integers.
 * Integers become strings of digits. Throws `NotCanonical` for any other value.
 */
export function formatCanonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return formatText(value)
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
        ? `[${value.map(formatCanonicalJson).join(',')}]`
        : formatObject(value as Record<string, unknown>)
    default:
      throw new NotCanonical(`${typeof value} has no canonical form`)
  }
}

/**
 * Returns true if both values have the same canonical JSON. Does not format the values, so that a
 * verification can compare millions of values. Throws `NotCanonical` for a value without canonical
 * form, unless the comparison has found a difference before it reaches this value.
 */
export function isSameCanonicalJson(left: unknown, right: unknown): boolean {
  if (typeof left !== 'object' || typeof right !== 'object') {
    return getKindAndText(left) === getKindAndText(right)
  }
  if (left === null || right === null) return left === right
  const names = Object.keys(left)
  if (Array.isArray(left) !== Array.isArray(right)) return false
  if (names.length !== Object.keys(right).length) return false
  // The casts hold because both values are objects.
  const rights = right as Record<string, unknown>
  return names.every(
    (name) =>
      Object.hasOwn(rights, name) &&
      isSameCanonicalJson((left as Record<string, unknown>)[name], rights[name]),
  )
}

/**
 * Returns a key for a scalar. The keys of two scalars are equal exactly if their canonical JSON is
 * equal.
 */
function getKindAndText(value: unknown): unknown {
  switch (typeof value) {
    case 'bigint':
      return String(value)
    case 'number':
      if (!Number.isSafeInteger(value)) throw new NotCanonical(`${value} is not a whole number`)
      return String(value)
    case 'string':
    case 'boolean':
    case 'object':
      return value
    default:
      throw new NotCanonical(`${typeof value} has no canonical form`)
  }
}

export class NotCanonical extends Error {
  override readonly name = 'NotCanonical'
}

function formatObject(object: Record<string, unknown>): string {
  let members = ''
  for (const key of Object.keys(object).sort()) {
    const comma = members === '' ? '' : ','
    members += `${comma}${formatText(key)}:${formatCanonicalJson(object[key])}`
  }
  return `{${members}}`
}

/** True if the text contains only ASCII characters that JSON does not escape, as most texts do. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text)
}

const PLAIN = /^[ !#-[\]-~]*$/

function formatText(text: string): string {
  if (isPlain(text)) return `"${text}"`
  if (!text.isWellFormed()) throw new NotCanonical('text is not well-formed Unicode')
  // PostgreSQL cannot store U+0000 in a text column. A text with U+0000 could therefore be in the
  // bytes of an event but not in a column.
  if (text.includes('\u0000')) throw new NotCanonical('text contains the character U+0000')
  return JSON.stringify(text)
}
