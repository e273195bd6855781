import { useQuery } from '@tanstack/react-query'
import { formatDate } from '../../shared/dates/format-date.ts'
import { toMinor } from '../../shared/money/money.ts'
import { Allowed } from '../../shared/session/permissions.tsx'
import { InlineMoney } from '../../shared/ui/money-text.tsx'
import { StatCard, StatGroup } from '../../shared/ui/stat-card.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { statsQueries } from '../charts/index.ts'
import type { Transaction } from '../transactions/index.ts'

type FiguresProps = { oldestPending: Transaction | null | undefined; isLoading: boolean }

/** Shows liabilities, coverage, amounts due and pending requests. */
export function OperationsFigures({ oldestPending, isLoading }: FiguresProps) {
  const coverage = useQuery(statsQueries.coverage())
  const maturities = useQuery(statsQueries.maturities())
  const covered = coverage.data
  return (
    <StatGroup label="Liabilities and due amounts">
      <StatCard
        label="Client liabilities"
        value={covered === undefined ? null : { money: toMinor(covered.liabilities) }}
        isLoading={coverage.isPending}
        note={
          covered === undefined ? undefined : (
            <>
              Cash in the ledger: <InlineMoney minor={toMinor(covered.cash)} />
            </>
          )
        }
        action={
          <Allowed permission="reserve.read">
            <TextLink to="/manage/admin/reserve">View Reserve</TextLink>
          </Allowed>
        }
      />
      <StatCard
        label="Reserve coverage"
        value={covered === undefined ? null : { text: `${covered.percentage}%` }}
        isLoading={coverage.isPending}
        note={
          covered === undefined ? undefined : (
            <>
              <InlineMoney minor={toMinor(covered.committed)} /> promised
            </>
          )
        }
      />
      <DueCard label="Due in 7 days" due={maturities.data?.within7Days} query={maturities} />
      <DueCard label="Due in 30 days" due={maturities.data?.within30Days} query={maturities} />
      <StatCard
        label="Oldest request"
        value={
          oldestPending === undefined
            ? null
            : { text: oldestPending === null ? 'None' : formatDate(oldestPending.createdAt, 'age') }
        }
        isLoading={isLoading}
        note={oldestPending ? 'Waiting for a decision' : 'No pending requests'}
      />
    </StatGroup>
  )
}

type Due = { count: number; principal: number; profit: number }

function DueCard(props: { label: string; due: Due | undefined; query: { isPending: boolean } }) {
  const { label, due, query } = props
  return (
    <StatCard
      label={label}
      value={due === undefined ? null : { money: toMinor(due.principal) + toMinor(due.profit) }}
      isLoading={query.isPending}
      note={
        due === undefined
          ? undefined
          : due.count === 1
            ? '1 investment matures'
            : `${due.count} investments mature`
      }
    />
  )
}
