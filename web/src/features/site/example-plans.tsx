import { formatMoneyBriefly } from '../../shared/money/money.ts'
import { PlanGrid } from '../plans/index.ts'

const EXAMPLES = [
  { name: 'Starter Plan', min: 10_000n, days: 30, percent: 5 },
  { name: 'Growth Plan', min: 50_000n, days: 60, percent: 12 },
  { name: 'Pro Plan', min: 200_000n, days: 90, percent: 20 },
  { name: 'Elite Plan', min: 500_000n, days: 180, percent: 40 },
] as const

/** Shows plans that are marked as examples. They appear only while no plan is on offer. */
export function ExamplePlans() {
  return (
    <PlanGrid>
      {EXAMPLES.map(({ name, min, days, percent }) => (
        <article
          key={name}
          className="grid content-start gap-3 rounded-card border border-line border-dashed bg-surface p-5"
        >
          <span className="w-fit rounded-full bg-info-soft px-2.5 py-1 font-medium text-12 text-info">
            Example plan, not on offer
          </span>
          <h3 className="font-semibold text-16">{name}</h3>
          <p>
            <span className="tabular font-semibold text-28 tracking-tight">{percent}%</span>{' '}
            <span className="text-14 text-muted">over {days} days</span>
          </p>
          <p className="text-14 text-muted">From {formatMoneyBriefly(min)}</p>
        </article>
      ))}
    </PlanGrid>
  )
}
