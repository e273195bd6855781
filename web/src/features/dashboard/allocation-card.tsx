import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { getCurrentMinute } from '../../shared/dates/current-minute.ts'
import { ChartCard } from '../../shared/ui/chart-card.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { RangePicker } from '../../shared/ui/range-picker.tsx'
import { investmentQueries } from '../investments/index.ts'
import { computeAllocation, computeMaturities, formatShare, type Share } from './allocation.ts'

/** The colour of each part. The legend also names the parts. */
const PART_COLORS = [
  'bg-[var(--stone-1)]',
  'bg-[var(--stone-2)]',
  'bg-[var(--stone-3)]',
  'bg-info',
  'bg-pending',
] as const

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
      failed="Your investments could not be loaded."
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

function Bars({ shares }: { shares: readonly Share[] }) {
  return (
    <div className="grid content-start gap-4">
      <div aria-hidden="true" className="flex h-6 gap-0.5 overflow-hidden rounded-card">
        {shares.map(({ name, tenths }, index) => (
          <span
            key={name}
            className={PART_COLORS[index % PART_COLORS.length]}
            style={{ flexGrow: Math.max(1, Number(tenths)) }}
          />
        ))}
      </div>
      <ul className="grid gap-2 text-14">
        {shares.map(({ name, minor, tenths }, index) => (
          <li key={name} className="flex items-center gap-3">
            <span
              aria-hidden="true"
              className={`size-3 shrink-0 rounded-full ${PART_COLORS[index % PART_COLORS.length]}`}
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
