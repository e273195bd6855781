import type { PaymentOption } from '@cairn/gateway-contracts'
import { Bitcoin, CreditCard, Landmark, Smartphone } from 'lucide-react'

const ICONS = {
  'Bank Transfer': Landmark,
  'Mobile Wallet': Smartphone,
  'Crypto Wallet': Bitcoin,
} as const

export function OptionIcon({ payOption }: Pick<PaymentOption, 'payOption'>) {
  const Icon = ICONS[payOption] ?? CreditCard
  return (
    <span
      aria-hidden="true"
      className="flex size-10 shrink-0 items-center justify-center rounded-card bg-accent-soft text-accent"
    >
      <Icon className="size-5" />
    </span>
  )
}
