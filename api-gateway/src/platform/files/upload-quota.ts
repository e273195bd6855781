import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { createTooManyRequestsFailure } from '../http/failure.ts'

const FILES_PER_DAY = 50
const BYTES_PER_DAY = 20 * 1024 * 1024
const WINDOW_HOURS = 24
const WINDOW_MS = WINDOW_HOURS * 3_600_000

export interface Upload {
  ownerId: string
  bytes: number
  nowMs: number
  /** A factor by which the permitted number and size of files are multiplied. */
  scale: number
}

/**
 * Counts an upload. Throws 429 if the quota of the owner is used up, with the time until a new count
 * starts. Call this function before the file is decoded, so that files that cannot be decoded also
 * count.
 */
export async function countUpload(db: Database, upload: Upload): Promise<void> {
  const { ownerId, bytes, nowMs, scale } = upload
  const now = new Date(nowMs)
  const isOver = sql`known.started_at <= ${now}::timestamptz - ${WINDOW_HOURS} * interval '1 hour'`
  const { rows } = await sql`
    insert into platform.upload_quota as known (owner_id, started_at, files, bytes)
    values (${ownerId}, ${now}, 1, ${bytes})
    on conflict (owner_id) do update set
      started_at = case when ${isOver} then ${now}::timestamptz else known.started_at end,
      files = case when ${isOver} then 1 else known.files + 1 end,
      bytes = case when ${isOver} then ${bytes} else known.bytes + ${bytes} end
    where ${isOver}
      or (known.files < ${Math.ceil(FILES_PER_DAY * scale)}
        and known.bytes < ${Math.ceil(BYTES_PER_DAY * scale)})
    returning owner_id`.execute(db)
  if (rows.length > 0) return
  throw createTooManyRequestsFailure(await computeWaitSeconds(db, { ownerId, nowMs }))
}

/** Returns the seconds until a new count starts, at least one. */
async function computeWaitSeconds(
  db: Database,
  { ownerId, nowMs }: Pick<Upload, 'ownerId' | 'nowMs'>,
): Promise<number> {
  const row = await db
    .selectFrom('platform.upload_quota')
    .select('started_at')
    .where('owner_id', '=', ownerId)
    .executeTakeFirstOrThrow()
  return Math.max(1, Math.ceil((row.started_at.getTime() + WINDOW_MS - nowMs) / 1_000))
}

/**
 * Adds `bytes` to the counted size. `bytes` is the size of the stored image minus the size of the
 * upload, and can be negative.
 */
export async function correctCountedUpload(
  db: Database,
  { ownerId, bytes }: Pick<Upload, 'ownerId' | 'bytes'>,
): Promise<void> {
  await db
    .updateTable('platform.upload_quota')
    .set({ bytes: sql`greatest(0, bytes + ${bytes})` })
    .where('owner_id', '=', ownerId)
    .execute()
}

/** Subtracts an upload that was not decoded because the server was busy. */
export async function revertCountedUpload(
  db: Database,
  { ownerId, bytes }: Pick<Upload, 'ownerId' | 'bytes'>,
): Promise<void> {
  await db
    .updateTable('platform.upload_quota')
    .set({ files: sql`greatest(0, files - 1)`, bytes: sql`greatest(0, bytes - ${bytes})` })
    .where('owner_id', '=', ownerId)
    .execute()
}
