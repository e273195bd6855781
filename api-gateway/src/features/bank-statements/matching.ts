import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts'

/** Maximum number of days between a line and its movement, because transfers take days. */
const DAYS_APART_MAX = 10
/** Maximum number of days between a line and its movement if only the amount matches. */
const DAYS_APART_UNNAMED_MAX = 4
const LINES_MAX = 5_000
/**
 * Number of lines per batch. With this number, an SQL statement ends before `statement_timeout`
 * (five seconds).
 */
const LINES_PER_STATEMENT = 250

/**
 * Matches lines and movements of equal amount: first by the reference in the line, then by the day.
 * A match by the day requires that no other line or movement of this amount is near that day. All
 * other lines remain for manual matching. Returns the number of matches.
 */
export async function matchLines(
  db: Database,
  { option, nowMs }: { option: string; nowMs: number },
): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ id: string }>`
      select l.id from platform.bank_line l
      where l.option = ${option}
        and not exists (select from platform.bank_match t where t.line_id = l.id)
      order by l.booked_on desc, l.id desc limit ${LINES_MAX}
    `.execute(trx)
    let paired = 0
    for (const pair of [matchByReference, matchUniqueAmounts]) {
      for (let at = 0; at < rows.length; at += LINES_PER_STATEMENT) {
        const lineIds = rows.slice(at, at + LINES_PER_STATEMENT).map(({ id }) => id)
        paired += await pair(trx, { lineIds, nowMs })
      }
    }
    return paired
  })
}

interface Batch {
  lineIds: readonly string[]
  nowMs: number
}

/**
 * Matches lines that contain the reference of a transaction or of its payout. Both references are
 * indexed.
 */
async function matchByReference(
  trx: DatabaseTransaction,
  { lineIds, nowMs }: Batch,
): Promise<number> {
  const days = DAYS_APART_MAX
  const { rows } = await sql`
    insert into platform.bank_match (line_id, option, seq, matched_by, reason, matched_at)
    select named.line_id, named.option, named.seq, null, null, ${new Date(nowMs)}
    from (
      select l.id as line_id, l.option, m.seq, count(*) over (partition by l.id) as choices
      from platform.bank_line l
      cross join lateral (
        select m.option, m.seq, m.amount_minor, m.effective_on, m.reference, m.payout_word
        from platform.cash_movement m
        where m.option = l.option and m.reference = any(l.words)
        union
        select m.option, m.seq, m.amount_minor, m.effective_on, m.reference, m.payout_word
        from platform.cash_movement m
        where m.option = l.option and m.payout_word = any(l.words) and m.payout_word is not null
      ) m
      where l.id = any(${lineIds}::text[]) and m.amount_minor = l.amount_minor
        and m.effective_on between l.booked_on - ${days}::int and l.booked_on + ${days}::int
        and not exists (select from platform.bank_match t where t.line_id = l.id)
        and not exists (
          select from platform.bank_match t where t.option = m.option and t.seq = m.seq)
        -- A payment that came twice names one movement twice.
        and not exists (
          select from platform.bank_line other
          where other.option = l.option and other.amount_minor = l.amount_minor
            and other.booked_on
              between m.effective_on - ${days}::int and m.effective_on + ${days}::int
            and other.id <> l.id and (m.reference = any(other.words) or m.payout_word = any(other.words))
            and not exists (select from platform.bank_match t where t.line_id = other.id))
    ) named
    where named.choices = 1
    on conflict do nothing
    returning line_id
  `.execute(trx)
  return rows.length
}

/**
 * Matches a line and a movement of equal amount if their days are near. The match requires that no
 * other line or movement of this amount is near these days.
 */
async function matchUniqueAmounts(
  trx: DatabaseTransaction,
  { lineIds, nowMs }: Batch,
): Promise<number> {
  const days = DAYS_APART_UNNAMED_MAX
  const { rows } = await sql`
    insert into platform.bank_match (line_id, option, seq, matched_by, reason, matched_at)
    select l.id, l.option, found.seq, null, null, ${new Date(nowMs)}
    from platform.bank_line l
    -- Two rows are enough to know that the candidate is not the only one.
    cross join lateral (
      select min(seq) as seq, count(*) as count from (
        select m.seq from platform.cash_movement m
        where m.option = l.option and m.amount_minor = l.amount_minor
          and m.effective_on between l.booked_on - ${days}::int and l.booked_on + ${days}::int
          and not exists (
            select from platform.bank_match t where t.option = m.option and t.seq = m.seq)
        limit 2) near
    ) found
    cross join lateral (
      select count(*) as count from (
        select from platform.cash_movement m
        join platform.bank_line other
          on other.option = m.option and other.amount_minor = m.amount_minor
          and other.booked_on
            between m.effective_on - ${days}::int and m.effective_on + ${days}::int
        where m.option = l.option and m.seq = found.seq
          and not exists (select from platform.bank_match t where t.line_id = other.id)
        limit 2) rivals
    ) rival
    where l.id = any(${lineIds}::text[]) and found.count = 1 and rival.count = 1
      and not exists (select from platform.bank_match t where t.line_id = l.id)
    on conflict do nothing
    returning line_id
  `.execute(trx)
  return rows.length
}
