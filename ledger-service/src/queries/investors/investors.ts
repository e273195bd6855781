import { account, type Id, type InvestorSummary, type QueryResponse } from '@cairn/ledger-contracts'
import type pg from 'pg'
import {
  type Investor,
  investorTable,
  readCountedWithdrawals,
} from '../../domain/investors/investor.ts'
import { checkRow, formatColumns } from '../../log/table.ts'

const PROPERTIES = [
  'investorId',
  'standing',
  'referrerId',
  'depositedMinor',
  'withdrawnMinor',
  'investmentCount',
  'activeInvestmentCount',
  'investedMinor',
  'profitMinor',
  'referralMinor',
  'withdrawalDay',
  'dayWithdrawalsMinor',
  'monthWithdrawalsMinor',
] as const satisfies readonly (keyof Investor)[]
type Selected = Pick<Investor, (typeof PROPERTIES)[number]>

/** The statements are prepared, because each page with a wallet runs them. */
const INVESTORS = {
  name: 'investors',
  text: `select ${formatColumns(PROPERTIES)}
         from ledger.investor where ledger_id = $1 and investor_id = any($2)`,
}
const BALANCES = {
  name: 'balances-of-investors',
  text: `select account, balance_minor as "balanceMinor"
         from ledger.balance where ledger_id = $1 and account = any($2)`,
}

export async function listInvestors(
  pool: pg.Pool,
  { ledger, investorIds }: { ledger: number; investorIds: readonly Id[] },
): Promise<QueryResponse<'investors'>> {
  if (investorIds.length === 0) return { investors: [] }
  const codes = investorIds.flatMap((id) => [...listWalletCodes(id), account.getPrincipalCode(id)])
  const [{ rows }, balances] = await Promise.all([
    pool.query<Selected>({ ...INVESTORS, values: [ledger, investorIds] }),
    pool.query<{ account: string; balanceMinor: bigint }>({ ...BALANCES, values: [ledger, codes] }),
  ])
  const known = new Map(rows.map((row) => [row.investorId, checkRow(investorTable, row)]))
  const minor = new Map(balances.rows.map((row) => [row.account, row.balanceMinor]))
  const investors = investorIds.flatMap((id) => {
    const row = known.get(id)
    return row === undefined ? [] : [toSummary(row, (code) => minor.get(code) ?? 0n)]
  })
  return { investors }
}

function toSummary(row: Selected, balanceOf: (account: string) => bigint): InvestorSummary {
  const { investorId } = row
  const listAmounts = (code: typeof account.getAvailableCode) => ({
    balance: balanceOf(code(investorId, 'balance')),
    profit: balanceOf(code(investorId, 'profit')),
    referral: balanceOf(code(investorId, 'referral')),
  })
  return {
    investorId,
    standing: row.standing,
    referrerId: row.referrerId,
    available: listAmounts(account.getAvailableCode),
    held: listAmounts(account.getHeldCode),
    principalMinor: balanceOf(account.getPrincipalCode(investorId)),
    totals: {
      depositedMinor: row.depositedMinor,
      withdrawnMinor: row.withdrawnMinor,
      investmentCount: row.investmentCount,
      activeInvestmentCount: row.activeInvestmentCount,
      investedMinor: row.investedMinor,
      profitMinor: row.profitMinor,
      referralMinor: row.referralMinor,
    },
    counted: readCountedWithdrawals(row),
  }
}

function listWalletCodes(investorId: Id): readonly string[] {
  return (['balance', 'profit', 'referral'] as const).flatMap((wallet) => [
    account.getAvailableCode(investorId, wallet),
    account.getHeldCode(investorId, wallet),
  ])
}
