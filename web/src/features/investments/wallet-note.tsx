import type { UserStats, WalletName } from '@cairn/gateway-contracts'
import type { ReactNode } from 'react'
import { toMinor } from '../../shared/money/money.ts'
import { MoneyText } from '../../shared/ui/money-text.tsx'

type WalletNoteProps = {
  stats: UserStats | undefined
  wallet: WalletName
  text: ReactNode
  link?: ReactNode
}

/** Explains the figure of a wallet, and states the part of the wallet that withdrawals hold. */
export function WalletNote({ stats, wallet, text, link }: WalletNoteProps) {
  const held = stats === undefined ? 0n : toMinor(stats.held[wallet])
  return (
    <>
      {text}
      {/* The line keeps its height while the figures load. */}
      <span className="flex min-h-4 flex-wrap gap-x-3">
        {held > 0n && (
          <span>
            <MoneyText minor={held} /> held
          </span>
        )}
        {link}
      </span>
    </>
  )
}
