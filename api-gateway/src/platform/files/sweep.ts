import { parseFact } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { type FollowedLedger, type Follower, getCursorName, readCursor } from '../jobs/follower.ts'
import { getObjectName } from './blob-store.ts'
import type { ObjectStore } from './object-store.ts'

const UNREFERENCED_DAY_MS = 86_400_000
const FILES_PER_SWEEP = 500

/** Creates the follower that records which receipts deposits refer to. */
export function createReceiptFollower(): Follower {
  return {
    name: 'receipts.v1',
    handle: async (events, trx) => {
      const ids = events.flatMap(({ type, data }) => {
        const fact = type === 'DepositRequested' ? parseFact(type, data) : null
        return fact?.type === 'DepositRequested' ? [fact.data.receiptId] : []
      })
      if (ids.length === 0) return
      await trx
        .updateTable('platform.file')
        .set({ referenced_at: sql`now()` })
        .where('id', 'in', ids)
        .where('referenced_at', 'is', null)
        .execute()
    },
  }
}

/**
 * Deletes uploads to which nothing has referred for a day. Returns their number. Deletes nothing
 * while the follower is behind the log, because events that it has not processed can refer to the
 * uploads.
 */
export async function sweepFiles(
  { db, objects }: { db: Database; objects: ObjectStore | null },
  { nowMs, isUpToDate }: { nowMs: number; isUpToDate: boolean },
): Promise<number> {
  if (!isUpToDate) return 0
  const before = new Date(nowMs - UNREFERENCED_DAY_MS)
  const orphans = await db
    .selectFrom('platform.file as file')
    .select('file.id')
    .where('file.created_at', '<', before)
    .where('file.referenced_at', 'is', null)
    .where(sql<boolean>`not exists (select from platform.payment_option where image_id = file.id)`)
    .where(sql<boolean>`not exists (select from platform.attestation where file_id = file.id)`)
    .where(sql<boolean>`not exists (select from identity.user where photo_id = file.id)`)
    // An open change request refers to its file only in its payload.
    .where(
      sql<boolean>`not exists (select from platform.change_request
        where state in ('pending', 'approved') and position(file.id in payload) > 0)`,
    )
    .limit(FILES_PER_SWEEP)
    .execute()
  let removed = 0
  for (const { id } of orphans) {
    if (await removeOrphan({ db, objects }, { id, before })) removed += 1
  }
  return removed
}

/**
 * Deletes the row and then the object of a file. If the object store does not answer, the row stays,
 * so that the next sweep finds the object again. Returns false if the file was uploaded again.
 */
async function removeOrphan(
  { db, objects }: { db: Database; objects: ObjectStore | null },
  { id, before }: { id: string; before: Date },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('platform.file')
      .where('id', '=', id)
      .where('created_at', '<', before)
      .where('referenced_at', 'is', null)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return false
    await objects?.remove(getObjectName(id))
    return true
  })
}

/**
 * Returns true if the follower has processed all events that the ledgers have now. Throws if one of
 * them does not answer, because its events can refer to any upload.
 */
export async function isCaughtUp(
  db: Database,
  { follower, ledgers }: { follower: string; ledgers: readonly FollowedLedger[] },
): Promise<boolean> {
  const progress = await Promise.all(
    ledgers.map(async ({ ledger, further = null }) => {
      const { size } = await ledger.ask('head', { size: null })
      return (await readCursor(db, getCursorName(follower, further))) + 1n >= size
    }),
  )
  return progress.every((isDone) => isDone)
}
