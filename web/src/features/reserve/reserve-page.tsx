import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toMinor } from '../../shared/money/money.ts'
import { Allowed, useHasPermission } from '../../shared/session/permissions.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { StatCard, StatGroup } from '../../shared/ui/stat-card.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { useNavigate } from '../../shared/url/navigation.tsx'
import { CoverageCard } from '../charts/index.ts'
import { LedgerSelect, useChosenLedger } from '../explorer/index.ts'
import { sumOwnMoney } from './coverage-lines.ts'
import { LedgersCard } from './ledgers-card.tsx'
import { describeCashAccount, groupPaymentAccounts, sortTreasuryFirst } from './payment-accounts.ts'
import { PromisesCard } from './promises-card.tsx'
import { type Reserve, reserveQueries } from './queries.ts'
import { RESERVE_ACTS, type ReserveActName, ReserveForm } from './reserve-form.tsx'

type Cash = Reserve['cash'][number]
const CASH_COLUMNS: ReadonlyArray<Column<Cash>> = [
  { id: 'name', header: 'Account', renderCell: describeCashAccount },
  {
    id: 'balance',
    header: 'Ledger balance',
    align: 'right',
    renderCell: (row) => <MoneyText minor={toMinor(row.balance)} />,
  },
]

/** Shows the operator's reserve, which backs the committed profit. */
export function ReservePage() {
  const ledger = useChosenLedger()
  const query = useQuery(reserveQueries.readReserve(ledger))
  const reserve = query.data
  const navigate = useNavigate()
  const canCompare = useHasPermission()('bankStatements.read')
  const [act, setAct] = useState<ReserveActName | null>(null)
  return (
    <>
      <PageHeader
        text="In the ledger, profit is booked against the operator’s reserve, never against an investor’s balance."
        actions={
          <>
            <LedgerSelect all="All ledgers" />
            <Allowed permission="reserve.move">
              <Button onClick={() => setAct('sweep')}>Move earnings</Button>
              <Button onClick={() => setAct('withdraw')}>Take out</Button>
              <Button look="primary" onClick={() => setAct('fund')}>
                Pay in
              </Button>
            </Allowed>
          </>
        }
      />
      {query.isError && (
        <FailedState
          message="The reserve could not be loaded."
          error={query.error}
          onRetry={query.refetch}
          pending={query.isFetching}
        />
      )}
      <Figures reserve={reserve} isLoading={query.isPending} />
      <LedgersCard query={query} />
      {/* These charts show all ledgers together. */}
      {ledger === null && (
        <div className="grid gap-6 xl:grid-cols-2">
          <CoverageCard />
          <PromisesCard />
        </div>
      )}
      <Card id="cash">
        <CardHeader title="Cash by account" note={describeCash({ ledger, canCompare })} />
        <DataTable
          caption="Cash by account"
          columns={CASH_COLUMNS}
          query={{ ...query, data: reserve && sortTreasuryFirst(reserve.cash) }}
          keyOf={(row) => row.option}
          narrow={(row) => (
            <span className="flex justify-between gap-3">
              {describeCashAccount(row)} <MoneyText minor={toMinor(row.balance)} />
            </span>
          )}
          failed="The cash could not be loaded."
          onOpen={
            canCompare ? (row) => void navigate(`/manage/admin/reserve/${row.option}`) : undefined
          }
          openLabel={(row) => `Bank statements of ${row.name}`}
          hasChevrons={canCompare}
          empty={<EmptyState title="No cash has moved yet" />}
        />
        {reserve !== undefined && <PaymentAccountsSum reserve={reserve} hasChevrons={canCompare} />}
      </Card>
      <Dialog
        open={act !== null}
        onOpenChange={(isOpen) => !isOpen && setAct(null)}
        title={act === null ? '' : RESERVE_ACTS[act].title}
      >
        {act !== null && <ReserveForm act={act} shown={ledger} onDone={() => setAct(null)} />}
      </Dialog>
    </>
  )
}

/**
 * Shows the sum of the payment accounts below their amounts, and how it compares with what is owed.
 * It is the last element of the page, so it moves nothing when it appears.
 */
function PaymentAccountsSum({ reserve, hasChevrons }: { reserve: Reserve; hasChevrons: boolean }) {
  const { accounts, sumMinor, fromTreasuryMinor, cashRestMinor } = groupPaymentAccounts(reserve)
  if (accounts.length === 0) return null
  return (
    <div className="border-line-strong border-t py-3 pl-5 text-14">
      <dl
        className={joinClasses(
          'flex justify-between gap-3 font-medium',
          hasChevrons ? 'pr-11 md:pr-12' : 'pr-5',
        )}
      >
        <dt>Payment accounts together, without the treasury</dt>
        <dd>
          <MoneyText minor={sumMinor} />
        </dd>
      </dl>
      {fromTreasuryMinor > 0n && (
        <p className="mt-1 pr-5 text-pending">
          All cash together is <MoneyText minor={cashRestMinor} /> more than is owed to investors.
          The payment accounts alone hold <MoneyText minor={fromTreasuryMinor} /> less than is owed.
          A payout of everything needs a transfer of this amount from the treasury first.
        </p>
      )}
    </div>
  )
}

/** Says whether the payment accounts, or else all cash in the ledger, cover what is owed. */
function CashCover({ reserve }: { reserve: Reserve }) {
  const { cashRestMinor, fromTreasuryMinor } = groupPaymentAccounts(reserve)
  if (fromTreasuryMinor > 0n) {
    return (
      <span className="font-medium text-pending">
        <MoneyText minor={fromTreasuryMinor} /> more than the payment accounts hold
      </span>
    )
  }
  if (cashRestMinor >= 0n) return 'Covered by the payment accounts'
  return (
    <span className="font-medium text-declined">
      <MoneyText minor={-cashRestMinor} /> more than the cash
    </span>
  )
}

/** States the same amount as the dashboard and the landing page. */
function AfterCosts({ reserve }: { reserve: Reserve }) {
  return (
    <>
      <MoneyText minor={sumOwnMoney(reserve)} /> after costs
    </>
  )
}

function describeCash({
  ledger,
  canCompare,
}: {
  ledger: number | null
  canCompare: boolean
}): string {
  const what = ledger === null ? 'Ledger balances' : `Balances in ledger ${ledger}`
  if (!canCompare) return what
  const compared = ledger === null ? 'its balance' : 'its balance in all ledgers'
  return `${what}. Open an account to compare ${compared} with bank statements.`
}

function Figures({ reserve, isLoading }: { reserve: Reserve | undefined; isLoading: boolean }) {
  const toFigure = (amount: number | undefined) =>
    amount === undefined ? null : { money: toMinor(amount) }
  const earnings = [
    ['Fees earned', reserve?.fees],
    ['Plan income', reserve?.income],
    ['Marketing', reserve?.marketing],
    ['Adjustments', reserve?.adjustments],
  ] as const
  return (
    <>
      <StatGroup label="Committed profit and coverage">
        <StatCard
          label="Coverage"
          term="coverage"
          value={reserve === undefined ? null : { text: `${reserve.coverage}%` }}
          isLoading={isLoading}
          hasLongNote
          note={
            reserve === undefined
              ? '\u00a0'
              : reserve.mode === 'strict'
                ? 'Strict: uncovered investments are refused'
                : 'Disclosed on the public pages'
          }
        />
        <StatCard
          label="Free reserve"
          value={toFigure(reserve?.reserve)}
          isLoading={isLoading}
          hasLongNote
          note={reserve === undefined ? '\u00a0' : <AfterCosts reserve={reserve} />}
        />
        <StatCard
          label="Promised profit"
          value={toFigure(reserve?.committed)}
          isLoading={isLoading}
        />
        <StatCard
          label="Owed to investors"
          term="owed"
          value={toFigure(reserve?.liabilities)}
          isLoading={isLoading}
          hasLongNote
          note={reserve === undefined ? '\u00a0' : <CashCover reserve={reserve} />}
        />
      </StatGroup>
      <StatGroup label="The operator’s other accounts">
        {earnings.map(([label, amount]) => (
          <StatCard key={label} label={label} value={toFigure(amount)} isLoading={isLoading} />
        ))}
      </StatGroup>
    </>
  )
}
