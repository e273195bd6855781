import type { UserStats } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Minor } from '../../shared/money/money.ts'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { Link } from '../../shared/url/navigation.tsx'
import { investmentQueries } from '../investments/index.ts'
import type { SignedIn } from '../sessions/index.ts'
import { findNextMaturities, findNextProfit } from './next-maturities.ts'

const MATURITIES_SHOWN = 3

type NextProps = { me: SignedIn | undefined; stats: UserStats | undefined }

/**
 * Shows the investments that end next and the open steps of the account. The card is as high as the
 * chart beside it, so that nothing moves when the content of the card has loaded.
 */
export function NextCard({ me, stats }: NextProps) {
  return (
    <Card className="flex min-h-88 flex-col">
      <CardHeader
        title="Next"
        action={
          <TextLink to="/manage/investor/investments" className="text-14">
            View Investments
          </TextLink>
        }
      />
      <Maturities />
      {me !== undefined && stats !== undefined && <OpenSteps me={me} stats={stats} />}
    </Card>
  )
}

function Maturities() {
  const { data, isError, refetch, isFetching } = useQuery(investmentQueries.refreshOwnInvestments())
  if (data === undefined) {
    return (
      <div className="grid gap-3 p-5">
        {isError ? (
          <FailedState
            message="Your next payments could not be loaded."
            onRetry={refetch}
            pending={isFetching}
          />
        ) : (
          <>
            <Skeleton className="h-12 w-full" />
            <Skeleton className="h-12 w-full" />
            <Skeleton className="h-12 w-full" />
          </>
        )}
      </div>
    )
  }
  const next = findNextMaturities(data.investments, MATURITIES_SHOWN)
  if (next.length === 0) {
    return (
      <p className="p-5 text-14 text-muted">
        No running investments. The dates of your next payments appear here.
      </p>
    )
  }
  const profit = findNextProfit(data.investments)
  return (
    <ul className="divide-y divide-line">
      {profit !== null && (
        <Payment
          investmentId={profit.investmentId}
          name="Next profit"
          minor={profit.amountMinor}
          date={<DateText at={profit.at} format="moment" />}
          text={profit.planName}
        />
      )}
      {next.map(({ investmentId, planName, endsAt, dueMinor, returnsPrincipal }) => (
        <Payment
          key={investmentId}
          investmentId={investmentId}
          name={`${planName} ends`}
          minor={dueMinor}
          date={<DateText at={endsAt} format="day" />}
          text={returnsPrincipal ? 'Principal and remaining profit' : 'Remaining profit'}
        />
      ))}
    </ul>
  )
}

type PaymentProps = {
  investmentId: string
  name: string
  minor: Minor
  date: ReactNode
  text: string
}

/** Shows a coming payment, with a link to its investment. */
function Payment({ investmentId, name, minor, date, text }: PaymentProps) {
  return (
    <li>
      <Link
        to={`/manage/investor/investments?investment=${investmentId}`}
        className="grid gap-0.5 px-5 py-3 text-14 hover:bg-sunken"
      >
        <span className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 truncate font-medium">{name}</span>
          <MoneyText minor={minor} className="font-medium" />
        </span>
        <span className="flex items-baseline justify-between gap-3 text-12 text-muted">
          {date}
          <span className="min-w-0 truncate">{text}</span>
        </span>
      </Link>
    </li>
  )
}

/**
 * Lists the open steps of an account. If the investor has running investments, lists only the first
 * open step.
 */
function OpenSteps({ me, stats }: { me: SignedIn; stats: UserStats }) {
  const steps = listSteps(me, stats).filter(({ isDone }) => !isDone)
  const open = stats.invested > 0 ? steps.slice(0, 1) : steps
  if (open.length === 0) return null
  return (
    <section aria-labelledby="open-steps" className="mt-auto border-line border-t p-2">
      <h3 id="open-steps" className="px-3 pt-2 pb-1 font-medium text-12 text-muted">
        To do
      </h3>
      <ul>
        {open.map(({ words, to }) => (
          <li key={words}>
            <Link
              to={to}
              className="flex min-h-10 items-center justify-between gap-3 rounded-card px-3 py-1.5 font-medium text-14 hover:bg-sunken"
            >
              {words}
              <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

function listSteps(me: SignedIn, stats: UserStats) {
  return [
    {
      words: 'Make a deposit',
      isDone: stats.total_deposit > 0,
      to: '/manage/investor/deposit',
    },
    {
      words: 'Open your first investment',
      isDone: stats.total_investment > 0,
      to: '/manage/investor/investments?view=new',
    },
    {
      words: 'Add a bank account',
      isDone: me.bankAccounts.length > 0,
      to: '/manage/investor/transactions?banks=open',
    },
    {
      words: 'Set up two-factor authentication',
      isDone: me.isMfaEnabled,
      to: '/manage/investor/settings?tab=security',
    },
  ]
}
