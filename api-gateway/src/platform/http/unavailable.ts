/**
 * Codes of errors that are not bugs: the server refuses or has ended the connection, has no
 * more disk, memory or connections, is starting or stopping, or has cancelled a slow statement.
 */
const CODES: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  '25006',
  '53000',
  '53100',
  '53200',
  '53300',
  '55P03',
  '57014',
  '57P01',
  '57P02',
  '57P03',
])
/** The errors with which node-postgres reports a lost connection have no code. */
const MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout)/

/**
 * True if the database, or another server that the gateway needs, could not answer for now. It is not
 * a bug of the gateway. The request may have been carried out.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('code' in error && CODES.has(error.code)) return true
  return MESSAGES.test(error.message) || isUnavailable(error.cause)
}
