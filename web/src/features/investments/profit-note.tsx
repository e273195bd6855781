import type { UserStats } from '@cairn/gateway-contracts'
import { toMinor } from '../../shared/money/money.ts'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'

type ProfitNoteProps = { stats: UserStats | undefined; isLoading: boolean }

/** Says that a total of profit includes profit already spent, and how much is available now. */
export function ProfitNote({ stats, isLoading }: ProfitNoteProps) {
  if (stats === undefined && !isLoading) return 'Since the start'
  return (
    <>
      Since the start;{' '}
      {/* The key replaces the words together with the figure, so that they never move beside it. */}
      <span key={stats === undefined ? 'unknown' : 'known'}>
        {stats === undefined ? (
          <Skeleton className="h-3 w-12" />
        ) : (
          <MoneyText minor={toMinor(stats.wallet.profit)} />
        )}{' '}
        available now
      </span>
    </>
  )
}
