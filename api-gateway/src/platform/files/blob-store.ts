import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { tooMany } from '../http/failure.ts'
import { type Image, reencodeImage } from './image.ts'
import type { ObjectStore } from './object-store.ts'

const FILES_PER_DAY = 50
const BYTES_PER_DAY = 20 * 1024 * 1024
const DAY_MS = 86_400_000

export interface StoredFile extends Image {
  id: string
  ownerId: string
  sha256: string
}

/** Stores files: one row each, with the bytes in the row or in the object store. */
export interface BlobStore {
  put(file: NewFile): Promise<{ id: string; sha256: string }>
  find(id: string): Promise<StoredFile | null>
}

export interface NewFile {
  ownerId: string
  purpose: 'receipt' | 'payment-option' | 'photo' | 'attestation'
  received: Buffer
  nowMs: number
}

export function createBlobStore(options: {
  db: Database
  dailyScale: number
  /** Null: the bytes are stored in the database. */
  objects: ObjectStore | null
}): BlobStore {
  const { db, dailyScale, objects } = options
  return {
    put: async ({ ownerId, purpose, received, nowMs }) => {
      const id = idOf(ownerId, received)
      const known = await findHash(db, id)
      if (known !== null) return { id, sha256: known }
      await requireQuota(db, { ownerId, nowMs, dailyScale })
      const { mediaType, bytes } = await reencodeImage(received)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      const created_at = new Date(nowMs)
      // The bytes are written before the row, because a row without bytes must never be visible.
      await objects?.put(getObjectName(id), bytes, mediaType)
      await db
        .insertInto('platform.file')
        .values({
          id,
          owner_id: ownerId,
          purpose,
          media_type: mediaType,
          bytes: objects === null ? bytes : null,
          size_bytes: bytes.length,
          sha256,
          created_at,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      // If two uploads race, both return the hash of the stored file.
      return { id, sha256: (await findHash(db, id)) ?? sha256 }
    },
    find: async (id) => {
      const row = await db
        .selectFrom('platform.file')
        .select(['owner_id', 'media_type', 'bytes', 'sha256'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (row === undefined) return null
      const { owner_id: ownerId, media_type: mediaType, sha256 } = row
      const bytes = row.bytes ?? (await objects?.get(getObjectName(id))) ?? null
      if (bytes === null) throw new Error(`the bytes of file ${id} are missing`)
      return { id, ownerId, mediaType, bytes, sha256 }
    },
  }
}

export function getObjectName(fileId: string): string {
  return `files/${fileId}`
}

/** The same owner and bytes give the same id, so a repeated upload finds the stored file. */
function idOf(ownerId: string, received: Buffer): string {
  return createHash('sha256').update(`${ownerId}\0`).update(received).digest('hex')
}

async function findHash(db: Database, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('platform.file')
    .select('sha256')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.sha256 ?? null
}

async function requireQuota(
  db: Database,
  { ownerId, nowMs, dailyScale }: { ownerId: string; nowMs: number; dailyScale: number },
): Promise<void> {
  const { count, bytes } = await db
    .selectFrom('platform.file')
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<number>`coalesce(sum(size_bytes), 0)::int`.as('bytes'),
    ])
    .where('owner_id', '=', ownerId)
    .where('created_at', '>', new Date(nowMs - DAY_MS))
    .executeTakeFirstOrThrow()
  if (count < FILES_PER_DAY * dailyScale && bytes < BYTES_PER_DAY * dailyScale) return
  throw tooMany(3_600)
}
