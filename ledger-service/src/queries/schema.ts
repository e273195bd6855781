import { wrapWithPreparedStatements } from '@cairn/service-kit/prepared-statements'
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { balanceTable } from '../domain/accounts/account.ts'
import type { controlTotalTable } from '../domain/accounts/control-total.ts'
import type { approverTable, dualControlTable } from '../domain/controls/approver.ts'
import type { soleActTable } from '../domain/controls/sole-acts.ts'
import type { investmentTable } from '../domain/investments/investment.ts'
import type { investorTable } from '../domain/investors/investor.ts'
import type { importedFileTable } from '../domain/opening-balances/imported-file.ts'
import type { planTable } from '../domain/plans/plan.ts'
import type { rulesTable } from '../domain/rules/money-rules.ts'
import type { keyRotationTable } from '../domain/signing/key-rotation.ts'
import type { transactionTable } from '../domain/transactions/transaction.ts'
import type { RowOf } from '../log/table.ts'
import type { eventTable, postingTable } from '../log/tables.ts'

type Stored<T> = RowOf<T> & { readonly ledgerId: number }

/**
 * The tables of the ledger for queries. The types come from the table descriptions that the writer
 * uses.
 */
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
  approver: Stored<typeof approverTable>
  dualControl: Stored<typeof dualControlTable>
  soleAct: Stored<typeof soleActTable>
  keyRotation: Stored<typeof keyRotationTable>
  importedFile: Stored<typeof importedFileTable>
}
export type Database = Kysely<LedgerSchema>

export function createDatabase(pool: pg.Pool): Database {
  return new Kysely<LedgerSchema>({
    dialect: new PostgresDialect({ pool: wrapWithPreparedStatements(pool) }),
    plugins: [new CamelCasePlugin()],
  }).withSchema('ledger')
}
