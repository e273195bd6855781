import type { Coverage } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Minor, toMinor } from '../../shared/money/money.ts'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CASH_LOOKS, CashBar, COSTS_LOOK } from '../../shared/ui/cash-bar.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TermInfo } from '../../shared/ui/term-info.tsx'
import type { TermName } from '../../shared/ui/terms.ts'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { readCoverage } from '../charts/index.ts'
import {
  describeCashAccount,
  groupCoverage,
  groupPaymentAccounts,
  type Reserve,
  reserveQueries,
} from '../reserve/index.ts'

/** Compares the cash in the ledger with the amounts that are owed and promised to investors. */
export function CashCard() {
  const coverage = useQuery(readCoverage())
  const canRead = useHasPermission()('reserve.read')
  const { data } = coverage
  return (
    <Card className="flex min-h-148 flex-col">
      <CardHeader
        title="Cash and obligations"
        action={
          canRead && (
            <TextLink to="/manage/admin/reserve" className="text-14">
              View Reserve
            </TextLink>
          )
        }
      />
      <div className="px-5 pt-4 pb-1">
        {data !== undefined ? (
          <Obligations coverage={data}>{canRead && <Comparison />}</Obligations>
        ) : coverage.isError ? (
          <FailedState
            message="The cash could not be loaded."
            error={coverage.error}
            onRetry={coverage.refetch}
            pending={coverage.isFetching}
          />
        ) : (
          <Skeleton className="h-48 w-full" />
        )}
      </div>
      {canRead && <CashByAccount />}
    </Card>
  )
}

/** Shows the cash in the ledger as the sum of its parts, each with its sign. */
function Obligations({ coverage, children }: { coverage: Coverage; children: ReactNode }) {
  const { owed, promised, own, cash } = groupCoverage(coverage)
  return (
    <>
      <CashBar className="mb-2 h-4" owed={owed} promised={promised} own={own} />
      <p className="text-12 text-muted">Owed: all wallets, held and invested money</p>
      <dl className="text-14">
        <Part look={CASH_LOOKS.owed} words="Owed to investors" term="owed" minor={owed} />
        <Part look={CASH_LOOKS.promised} words="Promised profit" minor={promised} sign="+" />
        {own >= 0n ? (
          <Part look={CASH_LOOKS.own} words="Uncommitted after costs" minor={own} sign="+" />
        ) : (
          <Part look={COSTS_LOOK} words="Costs not yet covered" minor={-own} sign="−" />
        )}
        <div className="flex justify-between gap-6 border-line-strong border-t py-2 font-semibold">
          <dt className="flex items-center">
            <Sign>=</Sign>
            Cash in the ledger
          </dt>
          <dd>
            <MoneyText minor={cash} />
          </dd>
        </div>
        {children}
        <div className="flex justify-between gap-3 border-line border-t py-2.5">
          <dt className="flex items-center text-muted">
            Coverage of promised profit
            <TermInfo term="coverage" />
          </dt>
          <dd className="tabular">{coverage.percentage}%</dd>
        </div>
      </dl>
    </>
  )
}

type PartProps = {
  look: string
  words: string
  term?: TermName
  minor: Minor
  sign?: string
}

/** Shows one part of the sum. The first part has no sign. */
function Part({ look, words, term, minor, sign }: PartProps) {
  return (
    <div className="flex justify-between gap-3 border-line border-t py-2 first:border-t-0">
      <dt className="flex items-center text-muted">
        <Sign>{sign}</Sign>
        <span aria-hidden="true" className={joinClasses('mr-2 size-3 shrink-0 rounded-sm', look)} />
        {words}
        {term !== undefined && <TermInfo term={term} />}
      </dt>
      <dd>
        <MoneyText minor={minor} />
      </dd>
    </div>
  )
}

function Sign({ children }: { children?: ReactNode }) {
  return <span className="w-4 shrink-0 font-medium text-muted">{children}</span>
}

/** The height is the same while the accounts load, so that the content below does not move. */
function CashByAccount() {
  const { data, isError } = useQuery(reserveQueries.readReserve())
  return (
    <section
      aria-labelledby="cash-by-account"
      className="mt-auto min-h-54 border-line border-t px-5 py-3"
    >
      <h3 id="cash-by-account" className="font-medium text-12 text-muted">
        Cash by account
      </h3>
      {data === undefined && isError && <p className="py-1 text-14 text-muted">Unknown</p>}
      {data !== undefined && <Accounts reserve={data} />}
    </section>
  )
}

const ROW = 'flex min-h-7 items-center justify-between gap-3'

/** Lists the payment accounts and their sum. The treasury is not in this sum, so it follows. */
function Accounts({ reserve }: { reserve: Reserve }) {
  const { accounts, treasury, sumMinor } = groupPaymentAccounts(reserve)
  return (
    <>
      <ul className="grid max-h-28 grid-cols-1 overflow-y-auto text-12">
        {accounts.map(({ option, name, balance }) => (
          <li key={option} className={ROW}>
            <span className="min-w-0 truncate">{name}</span>
            <MoneyText minor={toMinor(balance)} />
          </li>
        ))}
      </ul>
      <dl className="text-12">
        <div className={joinClasses(ROW, 'mt-1 border-line border-t font-medium')}>
          <dt>Payment accounts together</dt>
          <dd>
            <MoneyText minor={sumMinor} />
          </dd>
        </div>
        {treasury !== undefined && (
          <div className={joinClasses(ROW, 'border-line border-t')}>
            <dt className="flex min-w-0 items-center gap-0.5">
              <span className="min-w-0 truncate">{describeCashAccount(treasury)}</span>
              <TermInfo term="treasury" />
            </dt>
            <dd>
              <MoneyText minor={toMinor(treasury.balance)} />
            </dd>
          </div>
        )}
      </dl>
    </>
  )
}

/**
 * Says whether the payment accounts hold what is owed. Too little cash in the whole ledger is shown
 * in red. A payout that needs a transfer from the treasury is only a warning, because the treasury is
 * part of the cash. The height is the same while the accounts load, so that the content below does
 * not move.
 */
function Comparison() {
  const { data } = useQuery(reserveQueries.readReserve())
  if (data === undefined) return <div className="min-h-19" />
  const { title, minor, note, color } = compareWithOwed(data)
  return (
    <div className="flex min-h-19 flex-wrap content-center justify-between gap-x-3 border-line border-t py-2">
      <dt className={joinClasses('font-medium', color)}>{title}</dt>
      <dd className={joinClasses('font-medium', color)}>
        <MoneyText minor={minor} />
      </dd>
      <dd className="basis-full text-12 text-muted">{note}</dd>
    </div>
  )
}

type Result = { title: string; minor: Minor; note: string; color: string | null }

function compareWithOwed(reserve: Reserve): Result {
  const { restMinor, cashRestMinor, fromTreasuryMinor } = groupPaymentAccounts(reserve)
  if (cashRestMinor < 0n) {
    return {
      title: 'Less cash than is owed',
      minor: -cashRestMinor,
      note: 'The cash in all accounts does not cover what is owed to investors.',
      color: 'text-declined',
    }
  }
  if (fromTreasuryMinor > 0n) {
    return {
      title: 'Payment accounts lack',
      minor: fromTreasuryMinor,
      note: 'A payout of everything needs a transfer from the treasury first.',
      color: 'text-pending',
    }
  }
  return {
    title: 'Payment accounts beyond what is owed',
    minor: restMinor,
    note: 'The payment accounts hold enough to pay out everything.',
    color: null,
  }
}
