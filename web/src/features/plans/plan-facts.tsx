import { toast } from 'sonner'

import { formatPercent } from '../../shared/money/percent.ts'
import { ActFailure } from '../../shared/ui/act-failure.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { ConfirmStep } from '../../shared/ui/confirm-step.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { type AdminPlan, useApprovePlan, useArchivePlan } from './admin-queries.ts'
import { termOf } from './payout.ts'

/** Shows a plan that is not on offer: a retired one, or a draft. */
export function PlanFacts({ plan, onDone }: { plan: AdminPlan; onDone: () => void }) {
  const { source } = plan
  return (
    <div className="grid gap-5">
      <FactList>
        <Fact name="Profit of the term">{formatPercent(plan.percentage)}</Fact>
        <Fact name="Duration">{termOf(plan)}</Fact>
        {plan.annualRate === null ? (
          <Fact name="Result">Investors lose money</Fact>
        ) : (
          <Fact name="A year">{plan.annualRate.toLocaleString('en-US')}%</Fact>
        )}
        {source !== null && (
          <>
            <Fact name="Written by">
              {source.statedBy?.name ?? 'Unknown'},{' '}
              <DateText at={source.statedAt} format="moment" />
            </Fact>
            <Fact name="Source of the return">
              <span className="break-words">{source.text ?? 'None was given'}</span>
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
      {plan.isWaiting ? (
        <p className="text-14">Investors see it after another administrator has approved it.</p>
      ) : (
        <p className="text-14">It is no longer on offer. Investments in it keep their terms.</p>
      )}
      {plan.isWaiting && <Decision plan={plan} onDone={onDone} />}
    </div>
  )
}

function Decision({ plan, onDone }: { plan: AdminPlan; onDone: () => void }) {
  const approve = useApprovePlan(plan)
  const reject = useArchivePlan(plan)
  // A promise instead of a `mutate` callback: the list may unmount this component first, and the toast must
  // still appear.
  const offer = () => {
    approve.mutateAsync().then(
      () => {
        toast.success('The plan is on offer.')
        onDone()
      },
      () => {},
    )
  }
  return (
    <>
      <ActFailure error={approve.error} fallback="The plan was not approved." />
      <div className="flex flex-wrap items-center gap-2">
        <ConfirmStep
          label="Reject"
          text="The plan is archived and can no longer be approved."
          confirmLabel="Reject the plan"
          fallback="The plan could not be rejected."
          action={reject}
          onDone={onDone}
        />
        <Button look="primary" className="ml-auto" pending={approve.isPending} onClick={offer}>
          Approve the plan
        </Button>
      </div>
    </>
  )
}
