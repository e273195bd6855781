import { type QueryResponse, RulesInForce } from '@cairn/ledger-contracts'
import { DEFAULT_RULES } from '../../domain/rules/money-rules.ts'
import type { Database } from '../schema.ts'

export async function findRules(db: Database, ledger: number): Promise<QueryResponse<'rules'>> {
  const row = await db
    .selectFrom('rules')
    .selectAll()
    .where('ledgerId', '=', ledger)
    .executeTakeFirst()
  return { rules: RulesInForce.parse(row ?? DEFAULT_RULES) }
}
