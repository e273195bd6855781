import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { HttpFailure } from '../http/failure.ts'
import { reencodeImage, requireImageType } from './image.ts'
import type { ImageQueue } from './image-queue.ts'
import type { ObjectStore } from './object-store.ts'
import { type DocumentType, requireDocumentType } from './pdf.ts'
import { correctCountedUpload, countUpload, revertCountedUpload } from './upload-quota.ts'

export interface StoredFile {
  id: string
  mediaType: DocumentType
  bytes: Buffer
  ownerId: string
  sha256: string
}

/**
 * Stores files. Each file has a row; the bytes of the file are in the row or in the object store.
 */
export interface BlobStore {
  put(file: NewFile): Promise<{ id: string; sha256: string }>
  /**
   * Throws `FILE_CHANGED` if the bytes do not have the SHA-256 of the row, or not `sha256`, which a
   * record outside of this table states.
   */
  find(id: string, sha256?: string | null): Promise<StoredFile | null>
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
  images: ImageQueue
  /** The object store; null if the bytes are stored in the database. */
  objects: ObjectStore | null
}): BlobStore {
  const { db, dailyScale, images, objects } = options

  const hasObject = async (id: string) => ((await objects?.get(getObjectName(id))) ?? null) !== null

  async function checkUpload(
    received: Buffer,
    { type, ownerId, nowMs }: { type: DocumentType; ownerId: string; nowMs: number },
  ): Promise<{ mediaType: DocumentType; bytes: Buffer }> {
    const upload = { ownerId, bytes: received.length, nowMs, scale: dailyScale }
    await countUpload(db, upload)
    if (type === 'application/pdf') return { mediaType: type, bytes: received }
    let hasBegun = false
    try {
      const image = await images.run(() => {
        hasBegun = true
        return reencodeImage(received, type)
      })
      await correctCountedUpload(db, { ownerId, bytes: image.bytes.length - received.length })
      return image
    } catch (error) {
      if (!hasBegun) await revertCountedUpload(db, upload)
      throw error
    }
  }

  return {
    put: async ({ ownerId, purpose, received, nowMs }) => {
      // The type is checked even if the file is already stored, so that a PDF is accepted only for
      // attestations.
      const type =
        purpose === 'attestation' ? requireDocumentType(received) : requireImageType(received)
      const id = deriveFileId({ ownerId, purpose, received })
      const known = await renewFile(db, id, nowMs)
      // A file whose object is missing is stored again.
      if (known !== null && (known.hasBytes || (await hasObject(id)))) {
        return { id, sha256: known.sha256 }
      }
      const { mediaType, bytes } = await checkUpload(received, { type, ownerId, nowMs })
      const sha256 = hashBytes(bytes)
      const created_at = new Date(nowMs)
      // A newer image library can encode the same picture in another way. Such bytes would not have
      // the hash of the row.
      if (known !== null && known.sha256 !== sha256) return { id, sha256: known.sha256 }
      // The bytes are stored before the row, so that no reader finds a row without bytes.
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
      // If two calls store the same file at once, both calls return the hash of the stored file.
      return { id, sha256: (await findFileHash(db, id)) ?? sha256 }
    },
    find: async (id, recorded = null) => {
      const row = await db
        .selectFrom('platform.file')
        .select(['owner_id', 'media_type', 'bytes', 'sha256'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (row === undefined) return null
      const { owner_id: ownerId, media_type: mediaType, sha256 } = row
      const bytes = row.bytes ?? (await objects?.get(getObjectName(id))) ?? null
      if (bytes === null) throw new Error(`the bytes of file ${id} are missing`)
      const actual = hashBytes(bytes)
      if (actual !== sha256 || actual !== (recorded ?? actual)) throw createFileChangedFailure(id)
      return { id, ownerId, mediaType, bytes, sha256 }
    },
  }
}

function hashBytes(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function createFileChangedFailure(id: string): HttpFailure {
  return new HttpFailure(
    500,
    'FILE_CHANGED',
    'The stored file is not the one that was uploaded. Do not rely on it, and tell the operator.',
    { cause: new Error(`file ${id} differs from its SHA-256`) },
  )
}

export function getObjectName(fileId: string): string {
  return `files/${fileId}`
}

/**
 * Returns an id that is the same for the same owner, purpose and bytes, so that a repeated upload
 * finds the stored file. The id of a receipt does not contain the purpose, so that the receipts of
 * earlier versions keep their ids.
 */
export function deriveFileId({
  ownerId,
  purpose,
  received,
}: Pick<NewFile, 'ownerId' | 'purpose' | 'received'>): string {
  const owner = purpose === 'receipt' ? ownerId : `${ownerId}\0${purpose}`
  return createHash('sha256').update(`${owner}\0`).update(received).digest('hex')
}

/**
 * Returns the hash of a stored file, and whether its row contains its bytes. Returns null if it is
 * not stored. A file to which nothing refers yet begins its day again, so that it is not removed
 * while its new upload is used.
 */
async function renewFile(
  db: Database,
  id: string,
  nowMs: number,
): Promise<{ sha256: string; hasBytes: boolean } | null> {
  const row = await db
    .updateTable('platform.file')
    .set({
      created_at: sql`case when referenced_at is null then ${new Date(nowMs)} else created_at end`,
    })
    .where('id', '=', id)
    .returning(['sha256', sql<boolean>`bytes is not null`.as('hasBytes')])
    .executeTakeFirst()
  return row ?? null
}

async function findFileHash(db: Database, id: string): Promise<string | null> {
  const row = await db
    .selectFrom('platform.file')
    .select('sha256')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.sha256 ?? null
}
