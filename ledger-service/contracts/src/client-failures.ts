/** The ledger was unreachable or did not answer. It is unknown whether a command was recorded. */
export class LedgerUnreachable extends Error {
  override readonly name = 'LedgerUnreachable'
  readonly code = 'LEDGER_UNREACHABLE'
}

/** The service does not serve the ledger. It has done nothing. */
export class LedgerUnknown extends LedgerUnreachable {}

/** The ledger has refused the request as a whole. It has done nothing. */
export class LedgerRefusedCall extends LedgerUnreachable {}

/** The ledger had no room for the request. It has done nothing. */
export class LedgerOverloaded extends LedgerUnreachable {}

/**
 * The ledger does not accept the content of a query. This is a fault of the caller, so each
 * repetition is refused, and the ledger is not unreachable.
 */
export class LedgerQueryRefused extends Error {
  override readonly name = 'LedgerQueryRefused'
  readonly code = 'LEDGER_QUERY_REFUSED'
}

const MALFORMED_STATUS = 400
const OVERLOADED_STATUS = 429
const UNKNOWN_STATUS = 404
/** The statuses of a request that is malformed, too large, or exceeds the rights of the caller. */
const REFUSED_STATUSES: readonly number[] = [400, 403, 413]

/** Returns the class of the error for an answer with this status to a call of this path. */
export function getFailure(status: number, path: string): new (message: string) => Error {
  if (status === OVERLOADED_STATUS) return LedgerOverloaded
  if (status === UNKNOWN_STATUS) return LedgerUnknown
  if (status === MALFORMED_STATUS && path.startsWith('/v1/queries/')) return LedgerQueryRefused
  return REFUSED_STATUSES.includes(status) ? LedgerRefusedCall : LedgerUnreachable
}

/** True if the ledger refused the connection, so that it has not received the request. */
export function isConnectionRefused(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return ('code' in error && error.code === 'ECONNREFUSED') || isConnectionRefused(error.cause)
}
