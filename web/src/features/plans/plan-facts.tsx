import { formatPercent } from '../../shared/money/percent.ts'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import type { AdminPlan } from './admin-queries.ts'
import { formatTerm } from './payout.ts'

/** Shows a plan that is no longer on offer. */
export function PlanFacts({ plan }: { plan: AdminPlan }) {
  const { source } = plan
  return (
    <div className="grid gap-5">
      <FactList>
        <Fact name="Profit of the term">{formatPercent(plan.percentage)}</Fact>
        <Fact name="Duration">{formatTerm(plan)}</Fact>
        {plan.annualRate === null ? (
          <Fact name="Result">Investors lose money</Fact>
        ) : (
          <Fact name="Annual rate">{plan.annualRate.toLocaleString('en-US')}%</Fact>
        )}
        {source !== null && (
          <>
            <Fact name="Written by">
              {source.statedBy?.name ?? 'Unknown'},{' '}
              <DateText at={source.statedAt} format="moment" />
            </Fact>
            <Fact name="Source of the return">
              <span className="break-words">{source.text ?? 'None given'}</span>
            </Fact>
          </>
        )}
        {source !== null && source.approvedAt !== null && (
          <Fact name="Approved by">
            {source.approvedBy?.name ?? 'Unknown'},{' '}
            <DateText at={source.approvedAt} format="moment" />
          </Fact>
        )}
      </FactList>
      <p className="text-14">{describeOffer(plan)}</p>
    </div>
  )
}

function describeOffer({ isArchived }: AdminPlan): string {
  if (isArchived) return 'This plan is no longer on offer. Running investments keep their terms.'
  return 'Investors can choose this plan.'
}
