import { createHash } from 'node:crypto'
import { newId } from '@cairn/ledger-contracts'
import type { Database } from '../../platform/database/database.ts'

export type DocumentKind = 'statement' | 'certificate'

export interface StoredDocument {
  id: string
  bytes: Buffer
}

/** Keeps the stored document if there is one, so that concurrent requests return the same file. */
export async function storeDocument(
  db: Database,
  document: {
    kind: DocumentKind
    investorId: string
    subject: string
    bytes: Buffer
    nowMs: number
  },
): Promise<StoredDocument> {
  const { kind, investorId, subject, bytes, nowMs } = document
  await db
    .insertInto('platform.paper')
    .values({
      id: newId(nowMs),
      kind,
      investor_id: investorId,
      subject,
      bytes,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      made_at: new Date(nowMs),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const stored = await findDocument(db, { kind, investorId, subject })
  if (stored === null) throw new Error(`the ${kind} of ${subject} was not stored`)
  return stored
}

export async function findDocument(
  db: Database,
  { kind, investorId, subject }: { kind: DocumentKind; investorId: string; subject: string },
): Promise<StoredDocument | null> {
  const row = await db
    .selectFrom('platform.paper')
    .select(['id', 'bytes'])
    .where('kind', '=', kind)
    .where('investor_id', '=', investorId)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row ?? null
}
