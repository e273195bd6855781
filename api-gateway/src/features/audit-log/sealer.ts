import type { LedgerClient } from '@cairn/ledger-contracts'
import {
  type AuditRow,
  CHAIN_START,
  type ChainPlace,
  hashAuditRow,
} from '@cairn/ledger-contracts/proof'
import type { Clock } from '@cairn/service-kit/clock'
import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts'
import { submit } from '../../platform/ledger-client/submit.ts'
import { auditWaitingSeconds } from '../../platform/metrics/metrics.ts'
import { toAuditRow } from './chain-rows.ts'

const ROWS_PER_RUN = 1_000
/**
 * The interval between two seals. With half a minute, a row is sealed within a minute even if one
 * run is late.
 */
export const SEAL_EVERY_MS = 30_000
export const SEALER = 'system:audit-sealer'

/**
 * Appends committed rows to the hash chain and returns these rows. Returns null if another sealer
 * is running. Rows of a transaction wait until all older transactions have ended, so that every
 * reader sees the chain in the same order.
 */
export async function appendToAuditChain(
  db: Database,
  beforeCommit: (rows: readonly AuditRow[]) => Promise<void> = async () => {},
): Promise<readonly AuditRow[] | null> {
  return await db.transaction().execute(async (trx) => {
    const { rows: locks } = await sql<{ isLocked: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('the sealer of platform.audit')) as "isLocked"
    `.execute(trx)
    if (locks[0]?.isLocked !== true) return null
    const rows = await listUnchainedRows(trx)
    let place = (await findChainHead(trx)) ?? CHAIN_START
    const sealed = rows.map((row) => {
      place = { position: place.position + 1, hash: hashAuditRow(place, row) }
      return { id: row.id, ...place }
    })
    if (sealed.length === 0) return rows
    await storeChainPlaces(trx, sealed)
    await beforeCommit(rows)
    return rows
  })
}

async function listUnchainedRows(trx: DatabaseTransaction): Promise<readonly AuditRow[]> {
  // True if the transaction of the row is older than every running transaction. A row stores only
  // 32 bits of a transaction id, so the ids are compared modulo 2^32. A transaction id below 3
  // marks a restored row.
  const isSettled = sql<boolean>`(
    audit.xmin::text::bigint < 3
    or (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - audit.xmin::text::bigint)
      & 4294967295 between 1 and 2147483647
  )`
  const rows = await trx
    .selectFrom('platform.audit')
    .selectAll()
    .where('position', 'is', null)
    .where(isSettled)
    .orderBy('id')
    .limit(ROWS_PER_RUN)
    .execute()
  return rows.map(toAuditRow)
}

export async function findChainHead(db: Database): Promise<ChainPlace | null> {
  const row = await db
    .selectFrom('platform.audit')
    .select(['position', 'hash'])
    .where('position', 'is not', null)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (row === undefined || row.position === null || row.hash === null) return null
  return { position: Number(row.position), hash: row.hash.toString('hex') }
}

async function storeChainPlaces(
  trx: DatabaseTransaction,
  places: readonly { id: string; position: number; hash: string }[],
): Promise<void> {
  const ids = places.map(({ id }) => id)
  const positions = places.map(({ position }) => position)
  const hashes = places.map(({ hash }) => hash)
  await sql`
    update platform.audit set position = place.position, hash = decode(place.hash, 'hex')
    from unnest(${ids}::text[], ${positions}::bigint[], ${hashes}::text[])
      as place (id, position, hash)
    where audit.id = place.id`.execute(trx)
}

/** Records the head of the chain in the ledger. The idempotency key makes a repetition harmless. */
export async function sealHead(
  ledger: LedgerClient,
  { position: count, hash: head }: ChainPlace,
): Promise<void> {
  await submit(ledger, {
    type: 'SealAudit',
    data: { count, head },
    actor: SEALER,
    key: `audit-seal:${count}`,
    requestId: null,
    effectiveAt: null,
  })
}

/**
 * Creates the sealer. Each run appends committed rows to the chain. If the last seal is half a
 * minute old, the run seals the head of the chain as well.
 */
export function createAuditSealer({
  db,
  ledger,
  clock,
  beforeChained = async () => {},
  onChained,
}: {
  db: Database
  ledger: LedgerClient
  clock: Clock
  /**
   * Called before the commit with the rows to append. After a crash it is called again with the
   * same rows.
   */
  beforeChained?: (rows: readonly AuditRow[]) => Promise<void>
  /** Called after the commit with the rows that were appended. */
  onChained: (rows: readonly AuditRow[]) => void
}): () => Promise<void> {
  const startedAtMs = performance.now()
  let sealedCount = 0
  let sealedAtMs = Number.NEGATIVE_INFINITY
  let measured = { seconds: 0, atMs: startedAtMs }

  async function sealOnce(): Promise<void> {
    for (let isFull = true; isFull; ) {
      const rows = await appendToAuditChain(db, beforeChained)
      // Another sealer appends, or another session keeps the lock so that no sealer does. The rows
      // that wait are measured in both cases, and the rows in the chain are sealed.
      if (rows === null) break
      onChained(rows)
      isFull = rows.length === ROWS_PER_RUN
    }
    const nowMs = performance.now()
    const head = await findChainHead(db)
    const { position } = head ?? CHAIN_START
    // Before its first seal, the sealer does not know which rows are sealed. Until then it reports
    // its uptime instead of the age of the oldest unsealed row.
    const isFirst = sealedCount === 0 && position > 0
    const waitingSeconds = isFirst
      ? (nowMs - startedAtMs) / 1_000
      : await readUnsealedSeconds(db, { sealedCount, nowMs: clock.now() })
    measured = { seconds: waitingSeconds, atMs: nowMs }
    auditWaitingSeconds.set(waitingSeconds)
    if (nowMs - sealedAtMs < SEAL_EVERY_MS || head === null || position === sealedCount) return
    // `sealedAtMs` is set before `sealHead`, so that the sealer waits half a minute before it
    // repeats a failed attempt.
    sealedAtMs = nowMs
    await sealHead(ledger, head)
    sealedCount = position
  }

  return async () => {
    try {
      await sealOnce()
    } catch (error) {
      // Rows may wait since the last measurement. Without this, a sealer that fails at each run
      // would report its last value for ever.
      const sinceMs = performance.now() - measured.atMs
      auditWaitingSeconds.set(measured.seconds + sinceMs / 1_000)
      throw error
    }
  }
}

/** Returns the age in seconds of the oldest row that is not sealed. */
async function readUnsealedSeconds(
  db: Database,
  { sealedCount, nowMs }: { sealedCount: number; nowMs: number },
): Promise<number> {
  const { oldest } = await db
    .selectFrom('platform.audit')
    .select(({ fn }) => fn.min<Date | null>('recorded_at').as('oldest'))
    .where((where) =>
      where.or([where('position', 'is', null), where('position', '>', String(sealedCount))]),
    )
    .executeTakeFirstOrThrow()
  return oldest === null ? 0 : Math.max(0, (nowMs - oldest.getTime()) / 1_000)
}
