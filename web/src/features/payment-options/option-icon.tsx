import type { PaymentOption } from '@cairn/gateway-contracts'
import { Coins, Landmark, Smartphone } from 'lucide-react'
import { findCoin } from './coin.ts'
import { CoinMark } from './coin-mark.tsx'

/**
 * Shows an icon for the kind of the payment option. For a crypto wallet, shows the icon of the coin
 * of its network.
 */
export function OptionIcon({ option }: { option: Pick<PaymentOption, 'payOption' | 'bank'> }) {
  return (
    <span
      aria-hidden="true"
      className="flex size-10 shrink-0 items-center justify-center rounded-card bg-accent-soft text-accent"
    >
      <Mark option={option} />
    </span>
  )
}

function Mark({
  option: { payOption, bank },
}: {
  option: Pick<PaymentOption, 'payOption' | 'bank'>
}) {
  if (payOption === 'Bank Transfer') return <Landmark className="size-5" />
  if (payOption === 'Mobile Wallet') return <Smartphone className="size-5" />
  const coin = findCoin(bank)
  return coin === null ? <Coins className="size-5" /> : <CoinMark coin={coin} />
}
