import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Minor } from '../../shared/money/money.ts'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { LoadingPart } from '../../shared/ui/loading-part.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TermInfo } from '../../shared/ui/term-info.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { Link } from '../../shared/url/navigation.tsx'
import { investmentQueries } from '../investments/index.ts'
import { findNextMaturities, findNextProfit } from './next-maturities.ts'

const MATURITIES_SHOWN = 3

/**
 * Shows the next payments and, in `children`, what needs attention. Beside a chart, the card is as
 * high as the chart, so that nothing moves when the content of the card has loaded.
 */
export function NextCard({ children }: { children?: ReactNode }) {
  return (
    <Card className="flex min-h-75 flex-col max-sm:min-h-44 lg:min-h-93">
      <CardHeader
        title="Next"
        action={
          <TextLink to="/manage/investor/investments" className="text-14">
            View Investments
          </TextLink>
        }
      />
      <Maturities />
      {children}
    </Card>
  )
}

function Maturities() {
  const { data, isError } = useQuery(investmentQueries.refreshOwnInvestments())
  if (data === undefined) {
    return (
      <LoadingPart hasFailed={isError}>
        <div className="grid gap-3 p-5">
          <Skeleton className="h-12 w-full" />
          <Skeleton className="h-12 w-full" />
          <Skeleton className="h-12 w-full" />
        </div>
      </LoadingPart>
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
  const later = data.investments.length - next.length
  return (
    <>
      <ul className="divide-y divide-line">
        {profit !== null && (
          <Payment
            investmentId={profit.investmentId}
            name="Next profit"
            minor={profit.amountMinor}
            date={<DateText at={profit.at} format="moment" />}
            text={profit.planName === null ? 'No plan' : `Plan ${profit.planName}`}
          />
        )}
        {next.map(({ investmentId, planName, endsAt, profitMinor, principalMinor }) => (
          <Payment
            key={investmentId}
            investmentId={investmentId}
            name={`${planName} ends`}
            minor={principalMinor === 0n ? profitMinor : principalMinor}
            date={<DateText at={endsAt} format="day" />}
            text={
              principalMinor === 0n ? (
                'Profit until then, no principal'
              ) : (
                <>
                  Principal; <MoneyText minor={profitMinor} /> profit until then
                </>
              )
            }
          />
        ))}
      </ul>
      <p className="max-w-none border-line border-t px-5 py-2.5 text-12 text-muted">
        {later > 0 && `${later} more ${later === 1 ? 'ends' : 'end'} later. `}
        Principal
        <TermInfo term="principal" /> and profit are not guaranteed.
      </p>
    </>
  )
}

type PaymentProps = {
  investmentId: string
  name: string
  minor: Minor
  date: ReactNode
  text: ReactNode
}

/** Shows a coming payment, with a link to its investment. */
function Payment({ investmentId, name, minor, date, text }: PaymentProps) {
  return (
    <li>
      <Link
        to={`/manage/investor/investments?investment=${investmentId}`}
        className="grid grid-cols-1 gap-0.5 px-5 py-2.5 text-14 hover:bg-sunken"
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
