import pg from 'pg'

/** The SQLSTATE classes of connections, resources, the operator and the server's system. */
const OPERATIONAL = /^(?:08|53|57|58)/
/** node-postgres gives these errors no code. */
const LOST_CONNECTION = /^(?:Connection terminated|Client (?:has encountered|was closed))/

/**
 * True for an error of a disk, a connection or the database server, which shows nothing about the
 * log. All other errors can be the effect of changed bytes or rows.
 */
export function isSystemError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  // Node.js adds the name of the failed call of the operating system.
  if ('syscall' in error) return true
  if (error instanceof pg.DatabaseError) return OPERATIONAL.test(error.code ?? '')
  return LOST_CONNECTION.test(error.message)
}
