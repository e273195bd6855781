import { type CashAccount, toAmount } from '@cairn/gateway-contracts'
import { account, TREASURY } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createNotFoundFailure } from '../../platform/http/failure.ts'
import { listLedgerClients } from '../../platform/ledger-client/requested-ledger.ts'
import { formatOptionName } from '../payment-options/index.ts'
import { isCoveredByStatement, isUnpaired } from './lines.ts'
import { listBankStatements } from './statements.ts'

/**
 * Returns the name of the payment option of a cash account. Throws 404 for an unknown option.
 * Archived options are known, because the ledger keeps their balances.
 */
export async function requireOptionName({ db }: Pick<Dependencies, 'db'>, option: string) {
  if (option === TREASURY) return 'Treasury'
  const row = await db
    .selectFrom('platform.payment_option')
    .select(['bank', 'pay_option', 'archived_at'])
    .where('id', '=', option)
    .executeTakeFirst()
  if (row === undefined) throw createNotFoundFailure('There is no such cash account')
  return formatOptionName(row)
}

export async function readCashAccount(
  deps: Pick<Dependencies, 'db' | 'ledgers'>,
  option: string,
): Promise<CashAccount> {
  const { db } = deps
  const [name, balanceMinor, [statement = null], open] = await Promise.all([
    requireOptionName(deps, option),
    readCashBalance(deps, option),
    listBankStatements(db, { option, limit: 1 }),
    countUnmatchedLines(deps, option),
  ])
  // The ledger stores a cash balance as a debit, which is negative, so the sign is changed.
  return { option, name, balance: toAmount(-balanceMinor), statement, ...open }
}

/** Adds up the balances of the option in all ledgers, which are paid through one bank account. */
async function readCashBalance(
  deps: Pick<Dependencies, 'ledgers'>,
  option: string,
): Promise<bigint> {
  const clients = await listLedgerClients(deps)
  const balances = await Promise.all(
    clients.map(({ client }) =>
      client.ask('balance', { account: account.getCashCode(option), at: null }),
    ),
  )
  return balances.reduce((sum, { balanceMinor }) => sum + balanceMinor, 0n)
}

async function countUnmatchedLines({ db }: Pick<Dependencies, 'db'>, option: string) {
  const { rows } = await sql<{ count: number; minor: string }>`
    select 1 as part, count(*)::int as count, coalesce(sum(l.amount_minor), 0)::text as minor
    from platform.bank_line l
    where l.option = ${option}
      and not exists (select from platform.bank_match t where t.line_id = l.id)
    union all
    select 2, count(*)::int, coalesce(sum(m.amount_minor), 0)::text
    from platform.cash_movement m
    where m.option = ${option} and ${isUnpaired} and ${isCoveredByStatement(option)}
    order by part
  `.execute(db)
  // Each of the two parts of the union returns one row, and `part` sorts the rows.
  const [lines, movements] = rows
  return {
    openLines: lines?.count ?? 0,
    openLinesAmount: toAmount(BigInt(lines?.minor ?? 0)),
    openMovements: movements?.count ?? 0,
    openMovementsAmount: toAmount(BigInt(movements?.minor ?? 0)),
  }
}
