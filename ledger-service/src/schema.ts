import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { balanceTable } from './accounts/account.ts'
import { withPreparedStatements } from './database/prepared.ts'
import type { investmentTable } from './investments/investment.ts'
import type { investorTable } from './investors/investor.ts'
import type { RowOf } from './log/table.ts'
import type { eventTable, postingTable } from './log/tables.ts'
import type { planTable } from './plans/plan.ts'
import type { rulesTable } from './rules/money-rules.ts'
import type { controlTotalTable } from './totals/control-total.ts'
import type { transactionTable } from './transactions/transaction.ts'

type Stored<T> = RowOf<T> & { readonly ledgerId: number }

/** The ledger schema as queries read it: the same descriptions the writer writes by. */
export interface LedgerSchema {
  event: Stored<typeof eventTable>
  posting: Stored<typeof postingTable>
  balance: Stored<typeof balanceTable>
  investor: Stored<typeof investorTable>
  plan: Stored<typeof planTable>
  rules: Stored<typeof rulesTable>
  transaction: Stored<typeof transactionTable>
  investment: Stored<typeof investmentTable>
  controlTotal: Stored<typeof controlTotalTable>
}
export type Database = Kysely<LedgerSchema>

export function createDatabase(pool: pg.Pool): Database {
  return new Kysely<LedgerSchema>({
    dialect: new PostgresDialect({ pool: withPreparedStatements(pool) }),
    plugins: [new CamelCasePlugin()],
  }).withSchema('ledger')
}
