import type pg from 'pg'

/** 'cair' in ASCII, the namespace of these advisory locks. Each ledger has one lock. */
const LOCK_SPACE = 0x63616972

/** A ledger whose lock another connection holds, or no connection. */
export interface UnheldLedger {
  readonly ledger: number
  /** False if no connection holds the lock. */
  readonly isLocked: boolean
  /** The instance that was active last; null if none was active yet. */
  readonly active: ActiveInstance | null
}

export interface ActiveInstance {
  readonly address: string
  /** The number of events of the log. */
  readonly size: bigint
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
  const { rows } = await client.query<
    Omit<UnheldLedger, 'active'> & { address: string | null; size: bigint }
  >(
    `select ledger, lock.ledger is not null as "isLocked", address, coalesce(size, 0) as size
     from unnest($1::int[]) as wanted(ledger) left join (${LOCKS}) as lock using (ledger)
     left join ledger.active_instance on active_instance.ledger_id = ledger
     left join ledger.head on head.ledger_id = ledger
     where lock.is_own is not true`,
    [ledgers],
  )
  return rows.map(({ ledger, isLocked, address, size }) => ({
    ledger,
    isLocked,
    active: address === null ? null : { address, size },
  }))
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
