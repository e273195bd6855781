import type { WalletName } from '@cairn/gateway-contracts'
import { ChartNoAxesColumn, type LucideIcon, Users, Wallet } from 'lucide-react'

export type Source = { name: WalletName; label: string; text: string; icon: LucideIcon }

export const SOURCES: readonly Source[] = [
  { name: 'balance', label: 'Wallet Balance', text: 'Money that is not invested', icon: Wallet },
  {
    name: 'profit',
    label: 'Investment Profit',
    text: 'Profit credited so far',
    icon: ChartNoAxesColumn,
  },
  {
    name: 'referralBalance',
    label: 'Referral Earnings',
    text: 'Bonuses for people you referred',
    icon: Users,
  },
]
