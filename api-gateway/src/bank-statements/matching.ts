import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

/** A bank books a transfer days after it was sent, or the books a day after the bank. */
const DAYS_APART_MAX = 10
/** Where nothing but the amount speaks for it. */
const DAYS_APART_UNNAMED_MAX = 4
const LINES_MAX = 5_000

/**
 * Pairs lines with movements of the same amount: first those whose reference names the movement, then
 * those where a line has one movement near its day and that movement no other line. What could be two
 * things is left to people. Answers how many were paired.
 */
export async function matchLines(
  db: Database,
  { option, nowMs }: { option: string; nowMs: number },
): Promise<number> {
  return await db.transaction().execute(async (trx) => {
    let paired = 0
    for (const isNamed of [true, false]) {
      const days = isNamed ? DAYS_APART_MAX : DAYS_APART_UNNAMED_MAX
      const movementIsIt = isNamed
        ? sql`(m.reference = any(l.words) or m.payout_word = any(l.words))`
        : sql`true`
      const lineIsIt = isNamed
        ? sql`(m.reference = any(other.words) or m.payout_word = any(other.words))`
        : sql`true`
      const { rows } = await sql<{ line_id: string }>`
        insert into platform.bank_match (line_id, option, seq, matched_by, reason, matched_at)
        select l.id, l.option, found.seq, null, null, ${new Date(nowMs)}
        from (
          select l.* from platform.bank_line l
          where l.option = ${option}
            and not exists (select from platform.bank_match t where t.line_id = l.id)
          order by l.booked_on desc, l.id desc limit ${LINES_MAX}
        ) l
        -- Two are enough to know that it is not the only one.
        cross join lateral (
          select min(seq) as seq, count(*) as count from (
            select m.seq from platform.cash_movement m
            where m.option = l.option and m.amount_minor = l.amount_minor
              and m.effective_on between l.booked_on - ${days}::int and l.booked_on + ${days}::int
              and ${movementIsIt}
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
            where m.option = l.option and m.seq = found.seq and ${lineIsIt}
              and not exists (select from platform.bank_match t where t.line_id = other.id)
            limit 2) rivals
        ) rival
        where found.count = 1 and rival.count = 1
        on conflict do nothing
        returning line_id
      `.execute(trx)
      paired += rows.length
    }
    return paired
  })
}
