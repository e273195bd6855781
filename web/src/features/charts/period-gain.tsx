import { useQuery } from '@tanstack/react-query'
import { getFirstDayOfRange, type Range } from '../../shared/dates/chart-ranges.ts'
import { useReaderClock } from '../../shared/dates/periods.ts'
import { FigurePlaceholder } from '../../shared/ui/figure-placeholder.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { TermInfo } from '../../shared/ui/term-info.tsx'
import { useChartRange } from '../preferences/index.ts'
import { computeGain, formatGainPercent, type Gain } from './gain.ts'
import { chartQueries } from './queries.ts'
import { toHoldings } from './series.ts'

const PERIODS: Record<Range, string> = {
  '1W': 'past week',
  '1M': 'past month',
  '3M': 'past 3 months',
  YTD: 'this year',
  '1Y': 'past year',
  MAX: 'since the start',
}

/**
 * Shows the gain of the period that the chart shows, without deposits, withdrawals and credits. The
 * height is the same in every state. The line is empty for an account without a history.
 */
export function PeriodGain() {
  const [range] = useChartRange()
  const { today, timeZone } = useReaderClock()
  const from = getFirstDayOfRange(range ?? '3M', today)
  const history = useQuery({
    ...chartQueries.readBalanceHistory({ from, timeZone }),
    enabled: range !== null,
  })
  const isShown = history.data !== undefined && !history.isPlaceholderData
  const gain = isShown ? computeGain(toHoldings(history.data.points, today), from) : null
  return (
    <p className="mt-1 flex h-5 items-center gap-x-1 text-14">
      {gain !== null ? (
        <>
          <GainFigure gain={gain} />
          <span className="text-muted">{PERIODS[range ?? '3M']}</span>
          <TermInfo term="gain" />
        </>
      ) : isShown ? null : (
        <FigurePlaceholder hasFailed={history.isError} className="h-4 w-56" />
      )}
    </p>
  )
}

function GainFigure({ gain: { minor, tenths } }: { gain: Gain }) {
  const look = minor > 0n ? 'text-success' : minor < 0n ? 'text-declined' : 'text-muted'
  return (
    <span className={joinClasses('font-medium', look)}>
      <MoneyText minor={minor} signed />
      {tenths !== null && <span className="tabular"> ({formatGainPercent(tenths)})</span>}
    </span>
  )
}
