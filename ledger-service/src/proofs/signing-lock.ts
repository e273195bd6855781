import type { Clock } from '@cairn/service-kit/clock'
import type pg from 'pg'
import type { LogKey } from './log-key.ts'
import type { SigningKey } from './signing-key.ts'

/** 'cais' in ASCII, the namespace of these advisory locks. Each ledger has one lock. */
const LOCK_SPACE = 0x63616973
const LOCK_TIMEOUT_CODE = '55P03'
/** A connection that was cut without notice never answers. */
const ANSWER_WITHIN = { query_timeout: 5_000 }

// One message contains all statements, because the session could reach its time limit between two
// messages. A command that changes the key may take longer than the limits of the role: if PostgreSQL
// ended its connection, the instances would sign again before the change is recorded.
const BEGIN_CHANGE = `begin;
  set local statement_timeout = 0;
  set local idle_in_transaction_session_timeout = 0;
  set local lock_timeout = '60s';`
const BEGIN_SIGNATURE = `begin;
  set local statement_timeout = '30s';
  set local lock_timeout = '30s';`

interface Signing {
  pool: pg.Pool
  ledger: number
  key: LogKey
  clock: Clock
}

/**
 * Signs with the newest key of the log, in a transaction that also records the key. Until the
 * transaction has ended, no command can replace the key. Otherwise an instance could sign with a
 * replaced key after its end, and no verifier would accept that signature.
 */
export async function withSigningKey(
  { pool, ledger, key, clock }: Signing,
  sign: (client: pg.PoolClient, key: SigningKey, nowMs: number) => Promise<void>,
): Promise<void> {
  await inTransaction(pool, BEGIN_SIGNATURE, async (client) => {
    await client.query('select pg_advisory_xact_lock_shared($1, $2)', [LOCK_SPACE, ledger])
    await key.update?.(client)
    const nowMs = clock.now()
    await client.query(
      `insert into ledger.log_key (ledger_id, verifier_key, first_used_at) values ($1, $2, $3)
       on conflict do nothing`,
      [ledger, key.verifierKey, new Date(nowMs).toISOString()],
    )
    await sign(client, key, nowMs)
  })
}

/**
 * Runs `replace` while no instance signs the log. PostgreSQL releases the lock if its connection is
 * cut, and instances then sign again. So `replace` calls `requireLock` directly before each change
 * after which the old key may not sign; `requireLock` throws if the lock is lost. The lock can still
 * be lost between this check and the commit of the change, because the change is committed on
 * another connection and, with Citus, on another node. `withoutSigning` then throws after the
 * change, and `verify` reports a checkpoint that the old key signed in that time.
 */
export async function withoutSigning<T>(
  { pool, ledger }: { pool: pg.Pool; ledger: number },
  replace: (requireLock: () => Promise<void>) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, BEGIN_CHANGE, async (client) => {
    await client.query('select pg_advisory_xact_lock($1, $2)', [LOCK_SPACE, ledger])
    return replace(() => requireLock(client, ledger))
  })
}

async function requireLock(client: pg.PoolClient, ledger: number): Promise<void> {
  const message =
    `ledger ${ledger}: the connection that keeps instances from signing was lost, or does not ` +
    'answer, before the new key was recorded: run the command again'
  const held = await client
    .query({
      text: `select from pg_locks where pid = pg_backend_pid() and locktype = 'advisory' and granted
               and mode = 'ExclusiveLock' and classid = $1 and objid = $2`,
      values: [LOCK_SPACE, ledger],
      ...ANSWER_WITHIN,
    })
    .catch((cause: unknown) => {
      throw new Error(message, { cause })
    })
  if (held.rowCount === 0) throw new Error(message)
}

async function inTransaction<T>(
  pool: pg.Pool,
  begin: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query(begin)
    const result = await work(client)
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // The connection is closed, which ends its transaction in every case.
    client.release(true)
    if ((error as { code?: unknown }).code !== LOCK_TIMEOUT_CODE) throw error
    const message = 'the log is being signed, or its key is being changed: try again in a minute'
    throw new Error(message, { cause: error })
  }
}

/**
 * Takes a lock that only one command at a time has which changes keys. Throws if another one has it.
 * The lock ends with the connection.
 */
export async function lockKeyChanges(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isTaken: boolean }>(
    'select pg_try_advisory_lock($1, 0) as "isTaken"',
    [LOCK_SPACE],
  )
  if (rows[0]?.isTaken === true) return
  throw new Error('another command changes the signing key: wait until it has ended')
}
