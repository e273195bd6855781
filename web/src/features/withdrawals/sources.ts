import type { WalletName } from '@cairn/gateway-contracts'
import { ChartNoAxesColumn, type LucideIcon, Users, Wallet } from 'lucide-react'
import { WALLET_LABELS } from '../../shared/site/wallet-labels.ts'

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
    text: 'Profit credited so far',
    icon: ChartNoAxesColumn,
  },
  {
    name: 'referralBalance',
    label: WALLET_LABELS.referralBalance,
    text: 'Bonuses for people you referred',
    icon: Users,
  },
]
