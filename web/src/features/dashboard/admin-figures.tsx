import type { AdminStats } from '@cairn/gateway-contracts'

import { toMinor } from '../../shared/money/money.ts'
import { StatCard, StatGroup } from '../../shared/ui/stat-card.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'

type FiguresProps = { stats: AdminStats | undefined; isLoading: boolean }

export function AdminFigures({ stats, isLoading }: FiguresProps) {
  const toFigure = (amount: number | undefined) =>
    amount === undefined ? null : { money: toMinor(amount) }
  return (
    <StatGroup label="Platform totals">
      <StatCard
        label="Total Users"
        value={stats === undefined ? null : { count: stats.users }}
        isLoading={isLoading}
        note="Investors of every status"
        action={<TextLink to="/manage/admin/users">View Users</TextLink>}
      />
      <StatCard
        label="Total Balance"
        value={toFigure(stats?.total_balance)}
        isLoading={isLoading}
        note="Available in the Wallet Balances"
        action={<TextLink to="/manage/admin/transactions">View Transactions</TextLink>}
      />
      <StatCard
        label="Total Profits"
        value={toFigure(stats?.total_profit)}
        isLoading={isLoading}
        note="Available in Investment Profit"
        action={<TextLink to="/manage/admin/investments">View Investments</TextLink>}
      />
      <StatCard
        label="Referral Balance"
        value={toFigure(stats?.total_referral_balance)}
        isLoading={isLoading}
        note="Available in Referral Earnings"
        action={<TextLink to="/manage/admin/users?view=referrals">View Referrals</TextLink>}
      />
    </StatGroup>
  )
}
