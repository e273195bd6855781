/** Thrown before a mail is handed to the mail server. */
export class UnsentMailError extends Error {
  override name = 'UnsentMailError'
}

/** Codes of nodemailer for steps that come before the content of the mail. */
const BEFORE_CONTENT: ReadonlySet<unknown> = new Set(['EDNS', 'ETLS', 'EAUTH', 'EENVELOPE'])

/** Time limits of nodemailer that end before the session with the mail server begins. */
const BEFORE_SESSION: ReadonlySet<unknown> = new Set([
  'CONNECT_TIMEOUT',
  'GREETING_TIMEOUT',
  'UPGRADE_TIMEOUT',
])

/** System calls that make a connection. The same errors of another call can follow a sent mail. */
const CONNECTING: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo'])

/**
 * Returns true if the error proves that the mail server does not have the mail: it refused the
 * mail, or the error came before the content. A connection that broke may have delivered the mail.
 */
export function wasCertainlyNotSent(error: unknown): boolean {
  if (error instanceof UnsentMailError) return true
  if (!(error instanceof Error)) return false
  // The cast is safe because all properties are unknown.
  const { responseCode, code, timeoutType } = error as unknown as Readonly<Record<string, unknown>>
  return (
    typeof responseCode === 'number' ||
    BEFORE_CONTENT.has(code) ||
    BEFORE_SESSION.has(timeoutType) ||
    isLostBeforeContent(error) ||
    isUnconnected(error)
  )
}

/**
 * Returns true if the pool of nodemailer reports a connection that closed before the greeting, or
 * before the content of the next mail. Only an error of the connection itself names a command.
 */
function isLostBeforeContent(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNECTION' && !('command' in error)
}

/** Returns true if no address of the mail server could be connected. */
function isUnconnected(error: unknown): boolean {
  if (error instanceof AggregateError)
    return error.errors.length > 0 && error.errors.every(isUnconnected)
  return error instanceof Error && 'syscall' in error && CONNECTING.has(error.syscall)
}
