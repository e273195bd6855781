import type { WalletAmounts, WalletName } from '@cairn/gateway-contracts'
import { WALLET_LABELS } from '@cairn/gateway-contracts/wallet-labels'
import { ChartNoAxesColumn, type LucideIcon, Users, Wallet } from 'lucide-react'

export type Source = { name: WalletName; label: string; text: string; icon: LucideIcon }

export const SOURCES: readonly Source[] = [
  {
    name: 'balance',
    label: WALLET_LABELS.balance,
    text: 'Money that is not invested',
    icon: Wallet,
  },
  {
    name: 'profit',
    label: WALLET_LABELS.profit,
    text: 'Profit that you have not yet withdrawn',
    icon: ChartNoAxesColumn,
  },
  {
    name: 'referralBalance',
    label: WALLET_LABELS.referralBalance,
    text: 'Bonuses for people you referred',
    icon: Users,
  },
]

/** Names the wallets that hold money, such as `The money is in Wallet Balance.` */
export function describeFilled(wallet: WalletAmounts): string {
  const filled = SOURCES.filter(({ name }) => wallet[name] > 0).map(({ label }) => label)
  const last = filled.pop()
  if (last === undefined) return 'No wallet holds money that you can withdraw.'
  return `The money is in ${filled.length === 0 ? '' : `${filled.join(', ')} and `}${last}.`
}
