import { WALLET_LABELS } from '@cairn/gateway-contracts/wallet-labels'
import { toMinor } from '../../shared/money/money.ts'
import { sumWallets } from '../../shared/money/sum-wallets.ts'
import { InlineMoney } from '../../shared/ui/money-text.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { StatCard, StatGroup } from '../../shared/ui/stat-card.tsx'
import type { UserDetail } from './queries.ts'

export function UserMoney({ detail: { money, user } }: { detail: UserDetail }) {
  if (money === null) {
    return (
      <Notice tone="info">
        {user.name} has no wallet yet. The wallet is created when the account is approved.
      </Notice>
    )
  }
  const { available, held } = money
  const wallets = [
    { label: WALLET_LABELS.balance, available: available.balance, held: held.balance },
    { label: WALLET_LABELS.profit, available: available.profit, held: held.profit },
    {
      label: WALLET_LABELS.referralBalance,
      available: available.referralBalance,
      held: held.referralBalance,
    },
  ]
  const netWorth = sumWallets(available) + sumWallets(held) + toMinor(money.invested)
  return (
    <StatGroup label="Wallets">
      <StatCard
        label="Net worth"
        value={{ money: netWorth }}
        isLoading={false}
        note="Available, held and invested"
      />
      {wallets.map((wallet) => (
        <StatCard
          key={wallet.label}
          label={wallet.label}
          value={{ money: toMinor(wallet.available) }}
          isLoading={false}
          note={
            <>
              <InlineMoney minor={toMinor(wallet.held)} /> held
            </>
          }
        />
      ))}
      <StatCard
        label="Invested"
        value={{ money: toMinor(money.invested) }}
        isLoading={false}
        note={`${money.activeInvestments} running`}
      />
      <StatCard
        label="Deposited"
        value={{ money: toMinor(money.deposited) }}
        isLoading={false}
        note={
          <>
            <InlineMoney minor={toMinor(money.withdrawn)} /> withdrawn
          </>
        }
      />
    </StatGroup>
  )
}
