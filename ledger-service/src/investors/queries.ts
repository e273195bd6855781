import { account, type Id, InvestorSummary, type QueryResponse } from '@cairn/ledger-contracts'
import type { Database } from '../schema.ts'
import type { Investor } from './investor.ts'

export async function listInvestors(
  db: Database,
  { ledger, investorIds }: { ledger: number; investorIds: readonly Id[] },
): Promise<QueryResponse<'investors'>> {
  if (investorIds.length === 0) return { investors: [] }
  const codes = investorIds.flatMap((id) => [...walletCodes(id), account.principal(id)])
  const [rows, balances] = await Promise.all([
    db
      .selectFrom('investor')
      .selectAll()
      .where('ledgerId', '=', ledger)
      .where('investorId', 'in', investorIds)
      .execute(),
    db
      .selectFrom('balance')
      .select(['account', 'balanceMinor'])
      .where('ledgerId', '=', ledger)
      .where('account', 'in', codes)
      .execute(),
  ])
  const known = new Map(rows.map((row) => [row.investorId, row]))
  const minor = new Map(balances.map((row) => [row.account, row.balanceMinor]))
  const investors = investorIds.flatMap((id) => {
    const row = known.get(id)
    return row === undefined ? [] : [toSummary(row, (code) => minor.get(code) ?? 0n)]
  })
  return { investors }
}

function toSummary(row: Investor, balanceOf: (account: string) => bigint): InvestorSummary {
  const { investorId } = row
  const amounts = (code: typeof account.available) => ({
    balance: balanceOf(code(investorId, 'balance')),
    profit: balanceOf(code(investorId, 'profit')),
    referral: balanceOf(code(investorId, 'referral')),
  })
  return {
    investorId,
    standing: InvestorSummary.shape.standing.parse(row.standing),
    referrerId: row.referrerId,
    available: amounts(account.available),
    held: amounts(account.held),
    principalMinor: balanceOf(account.principal(investorId)),
    totals: {
      depositedMinor: row.depositedMinor,
      withdrawnMinor: row.withdrawnMinor,
      investmentCount: row.investmentCount,
      activeInvestmentCount: row.activeInvestmentCount,
      investedMinor: row.investedMinor,
      profitMinor: row.profitMinor,
      referralMinor: row.referralMinor,
    },
  }
}

function walletCodes(investorId: Id): readonly string[] {
  return (['balance', 'profit', 'referral'] as const).flatMap((wallet) => [
    account.available(investorId, wallet),
    account.held(investorId, wallet),
  ])
}
