import { type QueryResponse, RulesInForce } from '@cairn/ledger-contracts'
import type { Database } from '../schema.ts'
import { DEFAULT_RULES } from './money-rules.ts'

export async function findRules(db: Database, ledger: number): Promise<QueryResponse<'rules'>> {
  const row = await db
    .selectFrom('rules')
    .selectAll()
    .where('ledgerId', '=', ledger)
    .executeTakeFirst()
  return { rules: RulesInForce.parse(row ?? DEFAULT_RULES) }
}
