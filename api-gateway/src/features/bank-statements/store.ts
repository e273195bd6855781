import { createHash } from 'node:crypto'
import { createId } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { ReadStatement } from './read-statement.ts'

/** Stores a statement, and each of its lines that no earlier statement contained. */
export async function storeStatement(
  db: Database,
  statement: {
    id: string
    option: string
    bytes: Buffer
    read: Pick<ReadStatement, 'lines' | 'openingMinor' | 'closingMinor'>
    importedBy: string
    nowMs: number
  },
): Promise<{ linesAdded: number }> {
  const { id, option, bytes, read, importedBy, nowMs } = statement
  const { lines } = read
  return await db.transaction().execute(async (trx) => {
    // The lock prevents two concurrent imports for one account from storing the same line.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`bank ${option}`}, 0))`.execute(trx)
    const known = await trx
      .selectFrom('platform.bank_line')
      .select('line_hash')
      .where('option', '=', option)
      .where(sql<boolean>`line_hash = any(${lines.map(({ hash }) => hash)}::text[])`)
      .execute()
    const hashes = new Set(known.map(({ line_hash }) => line_hash))
    const added = lines.filter(({ hash }) => !hashes.has(hash))
    await trx
      .insertInto('platform.bank_statement')
      .values({
        id,
        option,
        file_sha256: createHash('sha256').update(bytes).digest('hex'),
        first_on: lines[0]?.day ?? '',
        last_on: lines.at(-1)?.day ?? '',
        opening_minor: read.openingMinor,
        closing_minor: read.closingMinor,
        lines: lines.length,
        lines_added: added.length,
        imported_by: importedBy,
        imported_at: new Date(nowMs),
      })
      .execute()
    await insertLines(trx, { id, option, nowMs, lines: added })
    return { linesAdded: added.length }
  })
}

async function insertLines(
  trx: Database,
  added: { id: string; option: string; nowMs: number; lines: ReadStatement['lines'] },
): Promise<void> {
  const { id, option, nowMs, lines } = added
  // The ids ascend in the order of the file, because lines of the same day are sorted by id.
  const ids = lines.map(() => createId(nowMs)).toSorted()
  await sql`
    insert into platform.bank_line
      (id, statement_id, option, booked_on, amount_minor, reference, words, line_hash)
    select line.id, ${id}, ${option}, line.day, line.amount, line.reference,
      string_to_array(line.words, ' '), line.hash
    from unnest(${ids}::text[],
      ${lines.map(({ day }) => day)}::date[],
      ${lines.map(({ amountMinor }) => String(amountMinor))}::bigint[],
      ${lines.map(({ reference }) => reference)}::text[],
      ${lines.map(({ words }) => words.join(' '))}::text[],
      ${lines.map(({ hash }) => hash)}::text[]
    ) as line (id, day, amount, reference, words, hash)
  `.execute(trx)
}
