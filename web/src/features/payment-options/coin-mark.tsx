import { Bitcoin, CircleDollarSign } from 'lucide-react'

import type { Coin } from './coin.ts'

/** The lines of each mark on a square of 24 units, in the manner of the other icons. */
const LINES: Readonly<Record<Exclude<Coin, 'BTC' | 'USDC'>, string>> = {
  ETH: 'M12 2 5.5 12.2 12 16l6.5-3.8zM5.5 15.2 12 22l6.5-6.8',
  USDT: 'M5 4.5h14M12 4.5V20M4 11c0 1.4 3.6 2.5 8 2.5s8-1.1 8-2.5-3.6-2.5-8-2.5S4 9.6 4 11z',
  TRX: 'M3 4l14 2.5L21 10 11 21zM3 4l8.5 9M11.5 13 21 10M11.5 13 11 21',
  SOL: 'M7.5 5H20l-3.5 3.5H4zM4 10.3h12.5l3.5 3.4H7.5zM7.5 15.5H20L16.5 19H4z',
  LTC: 'M11 3 7.5 20H18M5.5 15l9-4',
  XRP: 'M4 5l4.6 4.6a4.8 4.8 0 0 0 6.8 0L20 5M4 19l4.6-4.6a4.8 4.8 0 0 1 6.8 0L20 19',
  BNB: 'M12 9.8l2.2 2.2-2.2 2.2L9.8 12zM7 8.5l5-5 5 5M7 15.5l5 5 5-5M4.7 9.8 2.5 12l2.2 2.2M19.3 9.8l2.2 2.2-2.2 2.2',
  DOGE: 'M8.5 4v16H12a8 8 0 0 0 0-16zM5.5 12H13',
}

/** Shows the mark of a coin. */
export function CoinMark({ coin }: { coin: Coin }) {
  if (coin === 'BTC') return <Bitcoin className="size-5" />
  if (coin === 'USDC') return <CircleDollarSign className="size-5" />
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      data-coin={coin}
      className="size-5 fill-none stroke-2 stroke-current"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={LINES[coin]} />
    </svg>
  )
}
