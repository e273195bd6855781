import type { getInvestment, ResponseOf } from '@cairn/gateway-contracts'

import { toMinor } from '../../shared/money/money.ts'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EventLink } from '../../shared/ui/event-link.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { Progress } from '../../shared/ui/progress.tsx'
import { InvestmentBadge } from './investment-badge.tsx'
import { describeProgress } from './progress.ts'

type Detail = ResponseOf<typeof getInvestment>

type Viewer = 'investor' | 'admin'

const CANCELLED_WORDS: Record<Viewer, string> = {
  investor: 'Cancelled by you',
  admin: 'Cancelled by the investor',
}

/** Shows the amount first, then the progress of the term in money and dates. */
export function InvestmentFacts({ detail, viewer }: { detail: Detail; viewer: Viewer }) {
  const { investment, progress, reason, riskAcceptance } = detail
  const [next] = detail.upcoming
  const { percent, words } = describeProgress(progress)
  const isRunning = investment.status === 'active'
  const principal = toMinor(investment.amount)
  const promised = toMinor(investment.expectedProfit)
  return (
    <div className="grid gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <MoneyText minor={principal} large className="font-semibold text-28 tracking-tight" />
        <InvestmentBadge status={investment.status} />
      </div>
      <div className="grid gap-2">
        <Progress percent={percent} label="Progress of the term" text={words} />
        <p className="flex flex-wrap justify-between gap-x-4 text-14">
          <span>
            <MoneyText minor={toMinor(investment.profit)} className="font-semibold" /> of{' '}
            <MoneyText minor={promised} /> profit
          </span>
          <span className="tabular text-muted">{words}</span>
        </p>
      </div>
      <FactList>
        <Fact name="Started">
          <DateText at={investment.createdAt} format="moment" />
        </Fact>
        <Fact name={isRunning ? 'Ends' : 'Planned end'}>
          <DateText at={investment.expiryDate} format="moment" />
        </Fact>
        {investment.endedAt !== null && (
          <Fact name="Ended">
            <DateText at={investment.endedAt} format="moment" />
          </Fact>
        )}
        {isRunning && progress.nextProfitAt !== null && (
          <Fact name="Next profit">
            {next !== undefined && (
              <>
                <MoneyText minor={toMinor(next.amount)} signed /> on{' '}
              </>
            )}
            <DateText at={progress.nextProfitAt} format="moment" />
          </Fact>
        )}
        <Fact name="Principal" term="principal">
          {investment.returnPrincipal ? 'Due at the end' : 'Not returned'}
        </Fact>
        {isRunning && (
          <Fact name="Due in total">
            <MoneyText minor={investment.returnPrincipal ? principal + promised : promised} />
          </Fact>
        )}
        {reason !== null && (
          <Fact name="Reason">
            {investment.cancelledBy === null ? reason : CANCELLED_WORDS[viewer]}
          </Fact>
        )}
        {riskAcceptance !== null && (
          <Fact name="Risk warning">
            Accepted <DateText at={riskAcceptance.acceptedAt} format="moment" />
            <details className="text-left text-12 text-muted">
              <summary className="w-fit py-1 text-accent underline">Warning text</summary>
              {riskAcceptance.text} (version {riskAcceptance.version}, {riskAcceptance.country})
            </details>
          </Fact>
        )}
        <Fact name="Reference">
          <span className="tabular break-all">{investment.reference}</span>
        </Fact>
      </FactList>
    </div>
  )
}

export function Upcoming({ points }: { points: Detail['upcoming'] }) {
  if (points.length === 0) return null
  return (
    <section aria-labelledby="upcoming" className="grid gap-2">
      <h3 id="upcoming" className="font-medium text-14">
        Next profit
      </h3>
      <ol className="divide-y divide-line text-14">
        {points.map(({ at, amount }) => (
          <li key={at} className="flex justify-between gap-4 py-1.5">
            <DateText at={at} format="moment" />
            <MoneyText minor={toMinor(amount)} signed />
          </li>
        ))}
      </ol>
      <p className="text-12 text-muted">If the terms are met. Profit is not guaranteed.</p>
    </section>
  )
}

const STEP_WORDS: Record<Detail['timeline'][number]['kind'], string> = {
  opened: 'Opened',
  accrued: 'Profit credited',
  matured: 'Ended',
  denied: 'Ended early',
  cancelled: 'Cancelled',
}

export function InvestmentSteps({ steps, isCut }: { steps: Detail['timeline']; isCut: boolean }) {
  return (
    <section aria-labelledby="investment-steps" className="grid gap-2">
      <h3 id="investment-steps" className="font-medium text-14">
        History
      </h3>
      <ol className="grid gap-3 border-line border-l pl-4 text-14">
        {steps.toReversed().map(({ kind, at, amount, seq }) => (
          <li key={seq ?? at} className="flex justify-between gap-4">
            <span>
              <span className="font-medium">{STEP_WORDS[kind]}</span>
              <span className="block text-12 text-muted">
                <DateText at={at} format="moment" />
                {seq !== null && (
                  <>
                    , <EventLink seq={seq} />
                  </>
                )}
              </span>
            </span>
            <MoneyText minor={toMinor(amount)} />
          </li>
        ))}
      </ol>
      {isCut && (
        <p className="text-12 text-muted">
          This list shows only the first event and the newest 500. The export contains all events.
        </p>
      )}
    </section>
  )
}
