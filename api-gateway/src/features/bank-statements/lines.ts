import { type BankLine, type CashMovement, toAmount } from '@cairn/gateway-contracts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { findPersons, toPersonField } from '../users/index.ts'

const CANDIDATES_MAX = 20
const CANDIDATE_DAYS = 45

interface LineRow {
  id: string
  option: string
  day: string
  amount_minor: string
  reference: string
  seq: string | null
  matched_by: string | null
  reason: string | null
  matched_at: Date | null
  movement_type: string | null
  movement_minor: string | null
  movement_day: string | null
  movement_reference: string | null
}

interface MovementRow {
  seq: string
  type: string
  amount_minor: string
  day: string
  reference: string | null
}

type LineFilter = {
  option: string
  state: 'all' | 'open' | 'matched'
  after: string | undefined
  limit: number
}

/**
 * Lists lines, newest day first. `after` contains the day and the id of the last line of the
 * previous page.
 */
export async function listLines(
  db: Database,
  { option, state, after, limit }: LineFilter,
): Promise<{ lines: BankLine[]; next: string | null }> {
  const matched = sql`exists (select from platform.bank_match t where t.line_id = l.id)`
  const isOfState =
    state === 'all' ? sql`true` : state === 'matched' ? matched : sql`not ${matched}`
  const [day, id] = after?.split('~') ?? []
  const isBehind =
    day === undefined ? sql`true` : sql`(l.booked_on, l.id) < (${day}::date, ${id}::text)`
  const rows = await selectLines(db, {
    where: sql`l.option = ${option} and ${isOfState} and ${isBehind}`,
    limit,
  })
  const last = rows.length === limit ? rows.at(-1) : undefined
  const next = last === undefined ? null : `${last.day}~${last.id}`
  return { lines: await toBankLines(db, rows), next }
}

export async function findLine(
  db: Database,
  id: string,
): Promise<{ line: BankLine; option: string } | null> {
  const rows = await selectLines(db, { where: sql`l.id = ${id}`, limit: 1 })
  const [line] = await toBankLines(db, rows)
  const [row] = rows
  return line === undefined || row === undefined ? null : { line, option: row.option }
}

async function selectLines(
  db: Database,
  { where, limit }: { where: RawBuilder<unknown>; limit: number },
): Promise<readonly LineRow[]> {
  const { rows } = await sql<LineRow>`
    select l.id, l.option, l.booked_on::text as day, l.amount_minor, l.reference,
      t.seq, t.matched_by, t.reason, t.matched_at,
      m.type as movement_type, m.amount_minor as movement_minor,
      m.effective_on::text as movement_day, m.reference as movement_reference
    from platform.bank_line l
    left join platform.bank_match t on t.line_id = l.id
    left join platform.cash_movement m on m.option = t.option and m.seq = t.seq
    where ${where}
    order by l.booked_on desc, l.id desc limit ${limit}
  `.execute(db)
  return rows
}

async function toBankLines(db: Database, rows: readonly LineRow[]): Promise<BankLine[]> {
  const persons = await findPersons(
    db,
    rows.flatMap(({ matched_by }) => matched_by ?? []),
  )
  return rows.map((row) => {
    const { id, day, reference, seq, matched_at } = row
    const amountMinor = BigInt(row.amount_minor)
    const line = { id, _id: id, day, reference, amount: toAmount(amountMinor) }
    if (seq === null || matched_at === null) return { ...line, match: null }
    const movement = {
      seq,
      type: row.movement_type ?? '',
      amount_minor: row.movement_minor ?? '0',
      day: row.movement_day ?? '',
      reference: row.movement_reference,
    }
    const match = {
      movement: toMovement(movement),
      difference: toAmount(amountMinor - BigInt(movement.amount_minor)),
      reason: row.reason,
      at: matched_at.toISOString(),
      ...toPersonField('person', persons.get(row.matched_by ?? '')),
    }
    return { ...line, match }
  })
}

/**
 * Returns the SQL condition that a statement covers the day of the movement. A movement on a day
 * that no statement covers cannot have a line yet.
 */
export function isCoveredByStatement(option: string): RawBuilder<boolean> {
  const days = sql`platform.bank_statement where option = ${option}`
  // The third condition implies the first two conditions. The first two conditions remain, because
  // they allow an index scan.
  return sql<boolean>`(
    m.effective_on >= (select min(first_on) from ${days})
    and m.effective_on <= (select max(last_on) from ${days})
    and exists (
      select from platform.bank_statement s
      where s.option = m.option and m.effective_on between s.first_on and s.last_on))`
}
export const isUnpaired = sql<boolean>`not exists (
  select from platform.bank_match t where t.option = m.option and t.seq = m.seq)`

/** Lists the movements without a line, newest day first. */
export async function listMovements(
  db: Database,
  { option, after, limit }: Omit<LineFilter, 'state'>,
): Promise<{ movements: CashMovement[]; next: string | null }> {
  const [day, seq] = after?.split('~') ?? []
  const isBehind =
    day === undefined ? sql`true` : sql`(m.effective_on, m.seq) < (${day}::date, ${seq}::bigint)`
  const { rows } = await sql<MovementRow>`
    select m.seq, m.type, m.amount_minor, m.effective_on::text as day, m.reference
    from platform.cash_movement m
    where m.option = ${option} and ${isBehind} and ${isUnpaired} and ${isCoveredByStatement(option)}
    order by m.effective_on desc, m.seq desc limit ${limit}
  `.execute(db)
  const last = rows.length === limit ? rows.at(-1) : undefined
  const next = last === undefined ? null : `${last.day}~${last.seq}`
  return { movements: rows.map(toMovement), next }
}

/**
 * Lists the movements that could match the line: equal amounts first, then the closest amount of
 * the same sign, then the closest day.
 */
export async function listCandidates(
  db: Database,
  { option, line }: { option: string; line: BankLine },
): Promise<CashMovement[]> {
  const { rows } = await sql<MovementRow>`
    select m.seq, m.type, m.amount_minor, m.effective_on::text as day, m.reference
    from platform.bank_line l
    join platform.cash_movement m on m.option = l.option
      and m.effective_on
        between l.booked_on - ${CANDIDATE_DAYS}::int and l.booked_on + ${CANDIDATE_DAYS}::int
      and sign(m.amount_minor) = sign(l.amount_minor)
    where l.id = ${line.id} and l.option = ${option} and ${isUnpaired}
    order by (m.reference = any(l.words)) is true desc, abs(m.amount_minor - l.amount_minor),
      abs(m.effective_on - l.booked_on), m.seq
    limit ${CANDIDATES_MAX}
  `.execute(db)
  return rows.map(toMovement)
}

function toMovement({ seq, type, amount_minor, day, reference }: MovementRow): CashMovement {
  return { seq, type, amount: toAmount(BigInt(amount_minor)), day, reference }
}
