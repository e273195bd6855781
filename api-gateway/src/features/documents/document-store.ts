import { createHash } from 'node:crypto'
import { createId } from '@cairn/ledger-contracts'
import type { Database } from '../../platform/database/database.ts'
import { openForPerson, sealForPerson } from '../../platform/erasure/person-key.ts'

export type DocumentKind = 'statement' | 'certificate'

export interface StoredDocument {
  id: string
  bytes: Buffer
}

/**
 * Stores a document and returns it. If a document is stored already, returns the stored document,
 * so that concurrent requests get the same file. Returns null if the investor is deleted.
 */
export async function storeDocument(
  db: Database,
  document: {
    kind: DocumentKind
    investorId: string
    subject: string
    bytes: Buffer
    nowMs: number
  },
): Promise<StoredDocument | null> {
  const { kind, investorId, subject, bytes, nowMs } = document
  const sealed = await sealForPerson(db, { userId: investorId, bytes, nowMs })
  if (sealed === null) return null
  await db
    .insertInto('platform.paper')
    .values({
      id: createId(nowMs),
      kind,
      investor_id: investorId,
      subject,
      sealed,
      size_bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      made_at: new Date(nowMs),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return findDocument(db, { kind, investorId, subject })
}

/**
 * Returns the document; null if it does not exist, or if it is unreadable because the investor is
 * deleted.
 */
export async function findDocument(
  db: Database,
  { kind, investorId, subject }: { kind: DocumentKind; investorId: string; subject: string },
): Promise<StoredDocument | null> {
  const row = await db
    .selectFrom('platform.paper')
    .select(['id', 'sealed'])
    .where('kind', '=', kind)
    .where('investor_id', '=', investorId)
    .where('subject', '=', subject)
    .executeTakeFirst()
  if (row === undefined) return null
  const bytes = await openForPerson(db, { userId: investorId, sealed: row.sealed })
  return bytes === null ? null : { id: row.id, bytes }
}
