import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { getCurrentMinute } from '../../shared/dates/current-minute.ts'
import { ChartCard } from '../../shared/ui/chart-card.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { RangePicker } from '../../shared/ui/range-picker.tsx'
import { investmentQueries } from '../investments/index.ts'
import { computeAllocation, computeMaturities, formatShare, type Share } from './allocation.ts'

/** The colour and the pattern of each part. The list below the bar names the parts. */
const PART_LOOKS = ['part-1', 'part-2', 'part-3', 'part-4', 'part-5'] as const

const SPLITS = [
  ['plan', 'Plan'],
  ['maturity', 'Maturity'],
] as const

export function AllocationCard() {
  const query = useQuery(investmentQueries.refreshOwnInvestments())
  const [by, setBy] = useState<'plan' | 'maturity'>('plan')
  const running = query.data?.investments ?? []
  const shares =
    by === 'plan' ? computeAllocation(running) : computeMaturities(running, getCurrentMinute())
  return (
    <ChartCard
      title={by === 'plan' ? 'Invested by plan' : 'Invested by maturity'}
      size="small"
      action={<RangePicker label="Split by" ranges={SPLITS} value={by} onChange={setBy} />}
      query={query}
      failed={null}
      empty="Once an investment runs, its share is shown here."
      table={{
        header: [by === 'plan' ? 'Plan' : 'Term', 'Invested', 'Share'],
        rows: shares.map(({ name, minor, tenths }) => ({
          key: name,
          cells: [name, <MoneyText key="minor" minor={minor} />, formatShare(tenths)],
        })),
      }}
    >
      <Bars shares={shares} />
    </ChartCard>
  )
}

function getLook(index: number) {
  return PART_LOOKS[index % PART_LOOKS.length]
}

function Bars({ shares }: { shares: readonly Share[] }) {
  return (
    <div className="grid content-start gap-4">
      <div aria-hidden="true" className="flex h-6 gap-0.5 overflow-hidden rounded-card">
        {shares.map(({ name, tenths }, index) => (
          <span
            key={name}
            className={getLook(index)}
            style={{ flexGrow: Math.max(1, Number(tenths)) }}
          />
        ))}
      </div>
      <ul className="grid gap-2 text-14">
        {shares.map(({ name, minor, tenths }, index) => (
          <li key={name} className="flex items-center gap-3">
            <span
              aria-hidden="true"
              className={joinClasses('h-3 w-4 shrink-0 rounded-sm', getLook(index))}
            />
            <span className="min-w-0 flex-1 truncate">{name}</span>
            <span className="tabular text-muted">{formatShare(tenths)}</span>
            <MoneyText minor={minor} className="min-w-24 text-right" />
          </li>
        ))}
      </ul>
    </div>
  )
}
