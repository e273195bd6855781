import { createHash } from 'node:crypto'
import { createId, toJson } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { createKeyReusedFailure } from './failure.ts'

/**
 * A repeated request gets the stored response for this number of days. The gateway then deletes the
 * response, and a repetition gets a new object id. The ledger refuses this repetition, because the
 * ledger keeps all keys.
 */
export const KEYED_REQUEST_DAYS = 30
const DAY_MS = 86_400_000

/** The stored response to a request with an idempotency key. */
export interface StoredAnswer {
  status: number
  body: string
}

export interface KeyedRequest {
  /** The id of the object that this request creates. Each repetition gets the same id. */
  subjectId: string
  /** True if a request with this key came before. Its answer may be lost, or it may be running. */
  isRepetition: boolean
  answer: StoredAnswer | null
}

/**
 * Hashes the endpoint, the content and the file of a request. Requests with equal hashes are
 * repetitions.
 */
export function hashRequest(parts: {
  call: string
  content: unknown
  file: Uint8Array | null
}): Buffer {
  const hash = createHash('sha256').update(toJson([parts.call, parts.content]))
  if (parts.file !== null) hash.update('\0').update(parts.file)
  return hash.digest()
}

/** Finds or inserts the request with this key. Throws if the key was used for other content. */
export async function openKeyedRequest(
  db: Database,
  request: { userId: string; key: string; requestHash: Buffer; nowMs: number },
): Promise<KeyedRequest> {
  const { userId, key, requestHash, nowMs } = request
  const newId = createId(nowMs)
  await db
    .insertInto('platform.keyed_request')
    .values({
      user_id: userId,
      key,
      request_hash: requestHash,
      subject_id: newId,
      created_at: new Date(nowMs),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db
    .selectFrom('platform.keyed_request')
    .select(['request_hash', 'subject_id', 'status', 'body'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (!row.request_hash.equals(requestHash)) throw createKeyReusedFailure()
  const { status, body } = row
  const answer = status === null || body === null ? null : { status, body }
  const { subject_id: subjectId } = row
  return { subjectId, isRepetition: subjectId !== newId, answer }
}

/**
 * Stores the response and returns it. If a response is stored already, returns the stored response.
 */
export async function closeKeyedRequest(
  db: Database,
  request: { userId: string; key: string; answer: StoredAnswer },
): Promise<StoredAnswer> {
  const { userId, key, answer } = request
  await db
    .updateTable('platform.keyed_request')
    .set({ status: answer.status, body: answer.body })
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .where('body', 'is', null)
    .execute()
  const row = await db
    .selectFrom('platform.keyed_request')
    .select(['status', 'body'])
    .where('user_id', '=', userId)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  return { status: row.status ?? answer.status, body: row.body ?? answer.body }
}

/**
 * Deletes at most `limit` requests that are older than `KEYED_REQUEST_DAYS`. Returns their number.
 * The request of an announcement is kept as long as the announcement. The ledger does not know its
 * key, so a repetition with a new object id would send the announcement to everyone again.
 */
export async function pruneKeyedRequests(
  db: Database,
  { nowMs, limit }: { nowMs: number; limit: number },
): Promise<number> {
  const before = new Date(nowMs - KEYED_REQUEST_DAYS * DAY_MS)
  const oldest = db
    .selectFrom('platform.keyed_request')
    .select(['user_id', 'key'])
    .where('created_at', '<', before)
    .where(
      sql<boolean>`not exists (
        select from platform.announcement as sent where sent.id = keyed_request.subject_id)`,
    )
    .orderBy('created_at')
    .limit(limit)
    .as('oldest')
  const { numDeletedRows } = await db
    .deleteFrom('platform.keyed_request as request')
    .using(oldest)
    .whereRef('request.user_id', '=', 'oldest.user_id')
    .whereRef('request.key', '=', 'oldest.key')
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
