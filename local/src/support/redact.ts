import { isIPv4, isIPv6 } from 'node:net'

export type Redact = (text: string) => string

/** A shorter text can be a common word, so removing it would damage the rest of the text. */
const SECRET_LENGTH_MIN = 8
const URL_PASSWORD = /([a-z][a-z0-9+.-]*:\/\/[^\s:/@"']*):[^\s/@"']+@/gi
const BEARER_TOKEN = /\b(Bearer|Basic) [\w.~+/=-]{8,}/gi
/** A field of a JSON text or of a log line whose name says that its value is secret. */
const SECRET_FIELD =
  /("(?:[a-z_-]*(?:password|secret|token|cookie|authorization|api_?key)[a-z_-]*)"\s*:\s*)"(?:[^"\\]|\\.)*"/gi
const EMAIL = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
/** Every text that can be an IP address. `isIPv4` and `isIPv6` decide. */
const ADDRESS = /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f]*:[\da-f:.]*:[\da-f.]*)(?![\w.])/gi

/**
 * Creates a function that removes from a text: the given secrets, passwords in URLs, tokens, the
 * values of JSON fields such as `password`, email addresses, and IP addresses that are not of this
 * machine.
 */
export function createRedactor(secrets: readonly string[]): Redact {
  const known = secrets
    .filter(({ length }) => length >= SECRET_LENGTH_MIN)
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    // A secret can contain another secret. The longer secret must be removed first.
    .sort((left, right) => right.length - left.length)
  return (text) =>
    known
      .reduce((rest, secret) => rest.replaceAll(secret, '[secret]'), text)
      .replace(URL_PASSWORD, '$1:[secret]@')
      .replace(BEARER_TOKEN, '$1 [secret]')
      .replace(SECRET_FIELD, '$1"[secret]"')
      .replace(EMAIL, '[email]')
      .replace(ADDRESS, (found) => (isForeignAddress(found) ? '[address]' : found))
}

function isForeignAddress(text: string): boolean {
  if (isIPv4(text)) return !text.startsWith('127.') && text !== '0.0.0.0'
  return isIPv6(text) && text !== '::1' && text !== '::'
}
