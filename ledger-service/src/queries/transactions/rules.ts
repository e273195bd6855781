import type { QueryResponse } from '@cairn/ledger-contracts'
import { DEFAULT_RULES, rulesTable } from '../../domain/rules/money-rules.ts'
import { checkRow } from '../../log/table.ts'
import type { Database } from '../schema.ts'

export async function findRules(db: Database, ledger: number): Promise<QueryResponse<'rules'>> {
  const row = await db
    .selectFrom('rules')
    .selectAll()
    .where('ledgerId', '=', ledger)
    .executeTakeFirst()
  return { rules: row === undefined ? DEFAULT_RULES : checkRow(rulesTable, row) }
}
