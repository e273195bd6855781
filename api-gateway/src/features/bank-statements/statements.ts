import { type BankStatement, toAmount } from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { findPersons, toPersonField } from '../users/index.ts'

const STATEMENTS_MAX = 200

interface Row {
  id: string
  first_on: string
  last_on: string
  lines: number
  lines_added: number
  opening_minor: string | null
  closing_minor: string | null
  books_opening_minor: string
  books_closing_minor: string
  file_sha256: string
  imported_by: string
  imported_at: Date
}

/**
 * Lists the statements of a cash account, or the one with this id, newest first, each with the ledger
 * balances before its first and after its last day.
 */
export async function listBankStatements(
  db: Database,
  {
    option,
    id = null,
    limit = STATEMENTS_MAX,
  }: { option: string; id?: string | null; limit?: number },
): Promise<BankStatement[]> {
  const { rows } = await sql<Row>`
    with day as materialized (
      select effective_on, sum(sum(amount_minor)) over (order by effective_on) as sum_minor
      from platform.cash_movement where option = ${option} group by effective_on
    )
    select s.id, s.first_on::text, s.last_on::text, s.lines, s.lines_added, s.opening_minor,
      s.closing_minor, s.file_sha256, s.imported_by, s.imported_at,
      coalesce((select sum_minor from day where effective_on < s.first_on
        order by effective_on desc limit 1), 0)::text as books_opening_minor,
      coalesce((select sum_minor from day where effective_on <= s.last_on
        order by effective_on desc limit 1), 0)::text as books_closing_minor
    from platform.bank_statement s
    where s.option = ${option} and s.id = coalesce(${id}, s.id)
    order by s.last_on desc, s.id desc limit ${limit}
  `.execute(db)
  const persons = await findPersons(
    db,
    rows.map(({ imported_by }) => imported_by),
  )
  const toStatementAmount = (minor: string) => toAmount(BigInt(minor))
  return rows.map((row) => ({
    id: row.id,
    _id: row.id,
    firstDay: row.first_on,
    lastDay: row.last_on,
    lines: row.lines,
    linesAdded: row.lines_added,
    opening: row.opening_minor === null ? null : toStatementAmount(row.opening_minor),
    closing: row.closing_minor === null ? null : toStatementAmount(row.closing_minor),
    booksOpening: toStatementAmount(row.books_opening_minor),
    booksClosing: toStatementAmount(row.books_closing_minor),
    fileSha256: row.file_sha256,
    importedAt: row.imported_at.toISOString(),
    ...toPersonField('person', persons.get(row.imported_by)),
  }))
}
