import type { UserStats } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { toMinor } from '../../shared/money/money.ts'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { LoadingPart } from '../../shared/ui/loading-part.tsx'
import { useSingleColumn } from '../../shared/ui/narrow-screen.ts'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { StatCard, StatGroup } from '../../shared/ui/stat-card.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { NetWorthCard, NetWorthTotal } from '../charts/index.ts'
import { investmentQueries, ProfitNote, useOwnStats, WalletNote } from '../investments/index.ts'
import { sessionQueries } from '../sessions/index.ts'
import { MyRecentTransactions } from '../transactions/index.ts'
import { RecordCheck } from '../verify/index.ts'
import { AllocationCard } from './allocation-card.tsx'
import { AttentionCard, AttentionRows } from './attention.tsx'
import { FailedParts } from './failed-parts.tsx'
import { InvestmentCard } from './investment-card.tsx'
import { NextCard } from './next-card.tsx'
import { ProfileCard } from './profile-card.tsx'

const INVESTMENTS_SHOWN = 3
const COLUMNS = 'grid gap-5 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]'

/**
 * Shows the account of an investor. On a page with one column, what needs attention and the balance
 * come first and the charts come last.
 */
export function InvestorDashboard() {
  const { data: me } = useQuery(sessionQueries.me())
  const refreshed = useQuery(investmentQueries.refreshOwnInvestments())
  const stats = useOwnStats()
  const isLoading = stats.isPending
  const isSingleColumn = useSingleColumn()
  const planNames = new Map(
    refreshed.data?.investments.map(({ investment }) => [investment.id, investment.plan.name]),
  )
  return (
    <div className="grid grid-cols-1 gap-5">
      <PageHeader
        title={me === undefined ? undefined : `Hello, ${me.name.split(' ')[0]}`}
        text={<RecordCheck />}
        isSharingWidth
        actions={
          <>
            <ButtonLink to="/manage/investor/deposit" look="primary">
              <span>
                Deposit<span className="max-sm:hidden"> Funds</span>
              </span>
            </ButtonLink>
            <ButtonLink to="/manage/investor/withdrawal">
              <span>
                Withdraw<span className="max-sm:hidden"> Funds</span>
              </span>
            </ButtonLink>
            <ButtonLink to="/manage/investor/investments?view=new">
              <span className="max-sm:hidden">New Investment</span>
              <span className="sm:hidden">Invest</span>
            </ButtonLink>
          </>
        }
      />
      <FailedParts />
      {isSingleColumn ? (
        <>
          <AttentionCard me={me} stats={stats.data} hasFailed={stats.isError} />
          <NetWorthTotal stats={stats.data} hasFailed={stats.isError} />
          <Figures stats={stats.data} isLoading={isLoading} />
          <NextCard />
          <RecentInvestments />
          <MyRecentTransactions planNames={planNames} />
          <NetWorthCard />
          <AllocationCard />
          <ProfileCard />
        </>
      ) : (
        <>
          <div className={COLUMNS}>
            <NetWorthCard total={{ stats: stats.data, hasFailed: stats.isError }} />
            <NextCard>
              <AttentionRows me={me} stats={stats.data} hasFailed={stats.isError} />
            </NextCard>
          </div>
          <Figures stats={stats.data} isLoading={isLoading} />
          <div className={COLUMNS}>
            <RecentInvestments />
            <AllocationCard />
          </div>
          <div className={COLUMNS}>
            <MyRecentTransactions planNames={planNames} />
            <ProfileCard />
          </div>
        </>
      )}
    </div>
  )
}

function Figures({ stats, isLoading }: { stats: UserStats | undefined; isLoading: boolean }) {
  const toFigure = (amount: number | undefined) =>
    amount === undefined ? null : { money: toMinor(amount) }
  return (
    <StatGroup label="Your money">
      <StatCard
        label="Account Balance"
        value={toFigure(stats?.wallet.balance)}
        isLoading={isLoading}
        note={<WalletNote stats={stats} wallet="balance" text="Wallet Balance, available now" />}
      />
      <StatCard
        label="Referral Balance"
        value={toFigure(stats?.wallet.referralBalance)}
        isLoading={isLoading}
        note={
          <WalletNote
            stats={stats}
            wallet="referralBalance"
            text="Referral Earnings, available now"
          />
        }
      />
      <StatCard
        label="Total Deposit"
        value={toFigure(stats?.total_deposit)}
        isLoading={isLoading}
        note="Since the start; approved, before fees"
      />
      <StatCard
        label="Total Accrued Profit"
        term="accrued"
        value={toFigure(stats?.total_profit)}
        isLoading={isLoading}
        note={
          <WalletNote
            stats={stats}
            wallet="profit"
            text={<ProfitNote stats={stats} isLoading={isLoading} />}
            link={<TextLink to="/manage/investor/investments">View by Investment</TextLink>}
          />
        }
      />
    </StatGroup>
  )
}

function RecentInvestments() {
  const { data, isError } = useQuery(investmentQueries.refreshOwnInvestments())
  const shown = data?.investments.slice(0, INVESTMENTS_SHOWN)
  return (
    <Card>
      <CardHeader
        title="Recent Investments"
        note={
          data !== undefined && data.investments.length > INVESTMENTS_SHOWN
            ? `Showing ${INVESTMENTS_SHOWN} of ${data.investments.length} running`
            : undefined
        }
        action={
          <TextLink to="/manage/investor/investments" className="text-14">
            View All
          </TextLink>
        }
      />
      {shown === undefined && (
        <LoadingPart hasFailed={isError}>
          <div className="grid gap-2 px-5 py-3">
            <Skeleton className="h-12 w-full max-sm:h-18.5" />
            <Skeleton className="h-12 w-full max-sm:h-18.5" />
            <Skeleton className="h-12 w-full max-sm:h-18.5" />
          </div>
        </LoadingPart>
      )}
      {shown?.length === 0 && (
        <EmptyState
          title="No running investments"
          text="Choose a plan. You see the amount due to you and its date before you confirm."
          action={
            <ButtonLink to="/manage/investor/investments?view=new">New Investment</ButtonLink>
          }
        />
      )}
      {shown !== undefined && shown.length > 0 && (
        <ul className="divide-y divide-line">
          {shown.map((progress) => (
            <InvestmentCard key={progress.id} progress={progress} />
          ))}
        </ul>
      )}
    </Card>
  )
}
