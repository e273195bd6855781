import { exportMyReferrals } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { toMinor } from '../../shared/money/money.ts'
import { formatPercent } from '../../shared/money/percent.ts'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { Card, CardHeader, HeaderActions } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { StatCard, StatGroup } from '../../shared/ui/stat-card.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { PlaceholderLine, TwoLinePlaceholder } from '../../shared/ui/table-skeleton.tsx'
import { getPlanName, planQueries } from '../plans/index.ts'
import { useTable } from '../preferences/index.ts'
import { myReferralQueries, type PlacedReferral } from './my-queries.ts'
import { ReferralLink, ReferralLinkPlaceholder } from './referral-link.tsx'

const STATUS_WORDS: Record<PlacedReferral['status'], string> = {
  pending: 'Waiting for approval',
  active: 'Active',
  deactivated: 'Deactivated',
  denied: 'Denied',
}

const COLUMNS: ReadonlyArray<Column<PlacedReferral>> = [
  {
    id: 'name',
    header: 'User',
    renderPlaceholder: () => <TwoLinePlaceholder widths={['w-24', 'w-30']} />,
    renderCell: (row) => (
      <span className="grid">
        <span className="font-medium">{row.name}</span>
        <span className="text-12 text-muted">{row.email}</span>
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    placeholder: 'w-10',
    renderCell: (row) => STATUS_WORDS[row.status],
  },
  {
    id: 'joined',
    header: 'Joined',
    placeholder: 'w-23',
    renderCell: (row) => <DateText at={row.joinedAt} format="day" />,
  },
  {
    id: 'investments',
    header: 'Investments',
    align: 'right',
    placeholder: 'w-4',
    renderCell: (row) => <span className="tabular">{row.investments}</span>,
  },
  {
    id: 'earned',
    header: 'You earned',
    align: 'right',
    placeholder: 'w-16',
    renderCell: (row) => <MoneyText minor={toMinor(row.earned)} />,
  },
]

export function MyReferralsPage() {
  const query = useInfiniteQuery(myReferralQueries.listOwnReferrals())
  const meta = query.data?.meta
  const table = useTable('ownReferrals', COLUMNS, { hasViews: false })
  return (
    <>
      <PageHeader
        actions={
          <ButtonLink to="/manage/investor/withdrawal?source=referralBalance">
            Withdraw Funds
          </ButtonLink>
        }
      />
      {meta?.isEnabled === false && (
        <Notice tone="info">
          Referrals are currently turned off. You keep the bonuses that you earned.
        </Notice>
      )}
      <StatGroup label="Your referrals">
        <StatCard
          label="People you referred"
          value={meta === undefined ? null : { count: meta.total }}
          isLoading={query.isPending}
        />
        <StatCard
          label="Total earned"
          value={meta === undefined ? null : { money: toMinor(meta.earned) }}
          isLoading={query.isPending}
        />
        <StatCard
          label="Referral Earnings available"
          value={meta === undefined ? null : { money: toMinor(meta.available) }}
          isLoading={query.isPending}
        />
      </StatGroup>
      {meta?.isEnabled !== false && (
        <Card>
          <CardHeader title="Your referral link" />
          <div className="grid grid-cols-1 gap-5 p-5 lg:grid-cols-2">
            {meta === undefined ? (
              query.isError ? (
                <FailedState
                  message="Your referral link could not be loaded."
                  error={query.error}
                  onRetry={query.refetch}
                  pending={query.isFetching}
                />
              ) : (
                <ReferralLinkPlaceholder />
              )
            ) : (
              <ReferralLink link={meta.link} />
            )}
            <ReferralTerms />
          </div>
        </Card>
      )}
      <Card>
        <CardHeader
          title="Referred users"
          action={
            <HeaderActions>
              {table.menu}
              <CsvLink endpoint={exportMyReferrals} />
            </HeaderActions>
          }
        />
        <DataTable
          caption="Referred users"
          columns={table.columns}
          isCompact={table.isCompact}
          query={{ ...query, data: query.data?.referrals }}
          keyOf={(row) => String(row.place)}
          narrow={(row) => <NarrowReferral referral={row} />}
          narrowPlaceholder={<NarrowReferralPlaceholder />}
          failed="Your referrals could not be loaded."
          skeletonRows={3}
          empty={
            <EmptyState
              title="No referrals yet"
              text="Users who register through your link appear here, without their full name."
            />
          }
        />
        <MoreRows query={query} label="Load older referrals" />
      </Card>
    </>
  )
}

/** States the referral bonus of each plan beside the referral link. */
function ReferralTerms() {
  const { data: plans, isError, refetch, isFetching } = useQuery(planQueries.listPlans())
  if (plans === undefined && isError) {
    return (
      <FailedState
        message="The bonuses could not be loaded."
        onRetry={refetch}
        pending={isFetching}
      />
    )
  }
  return (
    <div className="grid content-start gap-2 text-14">
      <p className="wrap-anywhere min-h-10">
        {plans === undefined && <Skeleton className="h-10 w-full" />}
        {plans?.length === 0 && 'No plans are on offer, so no bonus can be earned.'}
        {plans !== undefined && plans.length > 0 && (
          <>
            Bonus on the amount invested:{' '}
            {plans.map((plan, index) => (
              <Fragment key={plan.id}>
                {index > 0 && ', '}
                <strong className="font-semibold">{formatPercent(plan.referalBonus)}</strong>{' '}
                {getPlanName(plan)}
              </Fragment>
            ))}
          </>
        )}
      </p>
      <p className="text-12 text-muted">
        You earn the bonus of the plan for each investment of a user you referred, once per
        investment. The bonus is added to your Referral Earnings when the investment can no longer
        be cancelled, and taken back if the investment ends early. Investors can lose all the money
        they invest.
      </p>
    </div>
  )
}

function NarrowReferralPlaceholder() {
  return (
    <div className="grid gap-1">
      <PlaceholderLine widths={['w-24', 'w-16']} className="h-5" />
      <div>
        <PlaceholderLine widths={['w-32', 'w-36']} className="h-4" />
        <span className="flex h-4 items-center">
          <Skeleton className="h-3 w-20" />
        </span>
      </div>
    </div>
  )
}

function NarrowReferral({ referral }: { referral: PlacedReferral }) {
  return (
    <span className="grid grid-cols-1 gap-1">
      <span className="flex justify-between gap-3">
        <span className="font-medium">{referral.name}</span>
        <MoneyText minor={toMinor(referral.earned)} />
      </span>
      <span className="flex flex-wrap justify-between gap-x-3 text-12 text-muted">
        <span>{referral.email}</span>
        <span>
          {STATUS_WORDS[referral.status]}, joined <DateText at={referral.joinedAt} format="day" />
        </span>
        <span>{formatCounted(referral.investments, 'investment')}</span>
      </span>
    </span>
  )
}
