import { createHash } from 'node:crypto'
import { newId } from '@cairn/ledger-contracts'
import type { Database } from '../../platform/database/database.ts'

export type PaperKind = 'statement' | 'certificate'

export interface StoredPaper {
  id: string
  bytes: Buffer
}

/** Keeps the stored document if there is one, so that concurrent requests return the same file. */
export async function storePaper(
  db: Database,
  paper: { kind: PaperKind; investorId: string; subject: string; bytes: Buffer; nowMs: number },
): Promise<StoredPaper> {
  const { kind, investorId, subject, bytes, nowMs } = paper
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
  const stored = await findPaper(db, { kind, investorId, subject })
  if (stored === null) throw new Error(`the ${kind} of ${subject} was not stored`)
  return stored
}

export async function findPaper(
  db: Database,
  { kind, investorId, subject }: { kind: PaperKind; investorId: string; subject: string },
): Promise<StoredPaper | null> {
  const row = await db
    .selectFrom('platform.paper')
    .select(['id', 'bytes'])
    .where('kind', '=', kind)
    .where('investor_id', '=', investorId)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row ?? null
}
