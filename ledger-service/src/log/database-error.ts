import { BrokenLog } from './deposed.ts'
import { RefusedData } from './store.ts'

/** SQLSTATE classes 22 (data exception) and 23 (integrity constraint violation). */
const BAD_DATA = /^2[23]/
const UNIQUE_VIOLATION = '23505'

/**
 * The primary keys of the log. A batch numbers its rows from the size in the head, and the same
 * statement checks this size. A conflict of a key therefore shows that a table has rows beyond the
 * head.
 */
const LOG_KEYS: readonly string[] = [
  'event.event_pkey',
  'posting.posting_pkey',
  'subtree.subtree_pkey',
]

/**
 * The parts of a database error that determine its cause. The text of the error is not used,
 * because the server can translate it.
 */
interface DatabaseError {
  code?: string
  table?: string
  constraint?: string
}

/**
 * The constraint on the idempotency keys of events. In the table of refusals, the idempotency key
 * is the primary key.
 */
const EVENT_KEY = 'event.event_idempotency_hash_key'

/**
 * True if the database refused the batch because an idempotency key or a new row of the batch
 * exists already.
 */
export function isKeyConflict(error: unknown): boolean {
  const { code, name, table } = describeError(error)
  if (code !== UNIQUE_VIOLATION || LOG_KEYS.includes(name)) return false
  return name === EVENT_KEY || name === `${table}.${table}_pkey`
}

/**
 * Returns the error that the writer gets when an append fails. `BrokenLog`: the log has rows beyond
 * its head. `RefusedData`: any other cause that proves that nothing was written. If the outcome is
 * unknown, returns the error unchanged.
 */
export function toAppendError(error: unknown): unknown {
  const { code, name } = describeError(error)
  if (code === UNIQUE_VIOLATION && LOG_KEYS.includes(name)) {
    return new BrokenLog(name, { cause: error })
  }
  if (!BAD_DATA.test(code)) return error
  return new RefusedData(`the database refused the batch with ${code}`, { cause: error })
}

function describeError(error: unknown): { code: string; table: string; name: string } {
  // The cast is safe for any object: all properties are optional.
  const { code = '', ...found } = error as DatabaseError
  const table = removeShard(found.table)
  return { code, table, name: `${table}.${removeShard(found.constraint)}` }
}

/** Citus adds the number of the shard to the names of tables and constraints. */
function removeShard(name = ''): string {
  return name.replace(/_\d+$/, '')
}
