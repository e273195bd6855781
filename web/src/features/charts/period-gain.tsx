import { useQuery } from '@tanstack/react-query'
import { getFirstDayOfRange, type Range } from '../../shared/dates/chart-ranges.ts'
import { useReaderClock } from '../../shared/dates/periods.ts'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TermInfo } from '../../shared/ui/term-info.tsx'
import { useChartRange } from '../preferences/index.ts'
import { computeGain, type Gain } from './gain.ts'
import { chartQueries } from './queries.ts'
import { toHoldings } from './series.ts'

const REFRESH_MS = 30_000

const PERIODS: Record<Range, string> = {
  '1W': 'past week',
  '1M': 'past month',
  '3M': 'past 3 months',
  YTD: 'this year',
  '1Y': 'past year',
  MAX: 'since the start',
}

/**
 * Shows the gain of the period that the chart shows, without deposits, withdrawals and credits, and
 * the parts of the gain. The height is the same in every state. The lines are empty for an account
 * without a history.
 */
export function PeriodGain() {
  const [range] = useChartRange()
  const { today, timeZone } = useReaderClock()
  const from = getFirstDayOfRange(range ?? '3M', today)
  const history = useQuery({
    ...chartQueries.readBalanceHistory({ from, timeZone }),
    enabled: range !== null,
    // A worker adds a profit to the history shortly after the balance has changed.
    refetchInterval: REFRESH_MS,
  })
  const isShown = history.data !== undefined && !history.isPlaceholderData
  const gain = isShown ? computeGain(toHoldings(history.data.points, today), from) : null
  return (
    <div className="mt-1.5 min-h-9 max-[24rem]:min-h-13">
      {gain !== null ? (
        <GainLines gain={gain} period={PERIODS[range ?? '3M']} />
      ) : isShown ? null : history.isError ? (
        <p className="text-12 text-muted">Gain not loaded</p>
      ) : (
        <Skeleton className="h-4 w-56" />
      )}
    </div>
  )
}

function GainLines({ gain, period }: { gain: Gain; period: string }) {
  const { minor, profit, referrals, costs } = gain
  return (
    <>
      <p className="flex h-5 items-center gap-x-1 text-14">
        {minor < 0n ? 'Lost' : 'Gained'}
        <MoneyText
          minor={minor < 0n ? -minor : minor}
          className={minor < 0n ? 'font-medium text-declined' : 'font-medium text-success'}
        />
        <span className="text-muted">{period}</span>
        <TermInfo term="gain" />
      </p>
      <p className="text-12 text-muted">
        Profit <MoneyText minor={profit} />
        {referrals !== 0n && (
          <>
            {' '}
            + referrals <MoneyText minor={referrals} />
          </>
        )}
        {costs !== 0n && (
          <>
            {' '}
            − costs <MoneyText minor={costs} />
          </>
        )}
      </p>
    </>
  )
}
