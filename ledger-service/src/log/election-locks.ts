import type pg from 'pg'

/** 'cair' in ASCII, the namespace of these advisory locks. Each ledger has one lock. */
const LOCK_SPACE = 0x63616972

/** A ledger whose lock another connection holds, or no connection. */
export interface UnheldLedger {
  readonly ledger: number
  /** False if no connection holds the lock. */
  readonly isLocked: boolean
  /** The URL of the instance that was active last; null if none was active yet. */
  readonly address: string | null
}

/** The locks of this database, as `lock`: the ledger, and whether this connection holds its lock. */
const LOCKS = `
  select objid::int as ledger, bool_or(pid = pg_backend_pid()) as is_own from pg_locks
  where locktype = 'advisory' and classid = ${LOCK_SPACE} and granted
    and database = (select oid from pg_database where datname = current_database())
  group by objid`

/** Returns those of the given ledgers whose lock this connection does not hold. */
export async function listUnheldLedgers(
  client: pg.Client,
  ledgers: readonly number[],
): Promise<readonly UnheldLedger[]> {
  const { rows } = await client.query<UnheldLedger>(
    `select ledger, lock.ledger is not null as "isLocked", address
     from unnest($1::int[]) as wanted(ledger) left join (${LOCKS}) as lock using (ledger)
     left join ledger.active_instance on active_instance.ledger_id = ledger
     where lock.is_own is not true`,
    [ledgers],
  )
  return rows
}

/**
 * Returns the number of events of each given log that has events. The query is not part of
 * `listUnheldLedgers`: on a Citus cluster it fails while a node is down, and the election of the
 * ledgers on the other nodes must go on.
 */
export async function readSizes(
  client: pg.Client,
  ledgers: readonly number[],
): Promise<ReadonlyMap<number, bigint>> {
  if (ledgers.length === 0) return new Map()
  const { rows } = await client.query<{ ledger: number; size: bigint }>(
    'select ledger_id as ledger, size from ledger.head where ledger_id = any ($1::int[])',
    [ledgers],
  )
  return new Map(rows.map(({ ledger, size }) => [ledger, size]))
}

/**
 * Takes the locks that make an instance active, except locks that this connection holds already:
 * PostgreSQL counts the requests, and each request would need its own release. Returns the ledgers
 * whose lock this connection holds afterwards.
 */
export async function takeFreeLocks(
  client: pg.Client,
  ledgers: readonly number[],
): Promise<readonly number[]> {
  if (ledgers.length === 0) return []
  const { rows } = await client.query<{ ledger: number; isHeld: boolean }>(
    `select ledger,
       case when lock.is_own then true else pg_try_advisory_lock(${LOCK_SPACE}, ledger) end as "isHeld"
     from unnest($1::int[]) as wanted(ledger) left join (${LOCKS}) as lock using (ledger)`,
    [ledgers],
  )
  return rows.filter(({ isHeld }) => isHeld).map(({ ledger }) => ledger)
}

/** Like `takeFreeLocks` for one ledger. Returns false if another connection holds the lock. */
export async function tryTakeLock(client: pg.Client, ledger: number): Promise<boolean> {
  return (await takeFreeLocks(client, [ledger])).length === 1
}

export async function releaseLocks(client: pg.Client, ledgers: readonly number[]): Promise<void> {
  await client.query(
    `select pg_advisory_unlock(${LOCK_SPACE}, ledger) from unnest($1::int[]) as wanted(ledger)`,
    [ledgers],
  )
}

/** Stores the URL of this instance as that of the active instance of each given ledger. */
export async function storeAddress(
  client: pg.Client,
  { ledgers, address }: { ledgers: readonly number[]; address: string },
): Promise<void> {
  await client.query(
    `insert into ledger.active_instance (ledger_id, address, claimed_at)
     select ledger, $2, now() from unnest($1::int[]) as wanted(ledger)
     on conflict (ledger_id) do update set address = excluded.address, claimed_at = now()`,
    [ledgers, address],
  )
}
