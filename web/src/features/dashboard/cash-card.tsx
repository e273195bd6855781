import { useQuery } from '@tanstack/react-query'
import { toMinor } from '../../shared/money/money.ts'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { Fact, FactList } from '../../shared/ui/fact-list.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { statsQueries } from '../charts/index.ts'
import { reserveQueries } from '../reserve/index.ts'

/** Compares the cash in the ledger with what is owed and promised to investors. */
export function CashCard() {
  const coverage = useQuery(statsQueries.readCoverage())
  const canRead = useHasPermission()('reserve.read')
  const { data } = coverage
  return (
    <Card className="flex min-h-110 flex-col">
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
      <div className="px-5 py-2">
        {data !== undefined ? (
          <FactList>
            <Fact name="Cash in the ledger">
              <MoneyText minor={toMinor(data.cash)} className="font-medium" />
            </Fact>
            <Fact name="Owed to investors">
              <MoneyText minor={toMinor(data.liabilities)} />
            </Fact>
            <Fact name="Promised profit">
              <MoneyText minor={toMinor(data.committed)} />
            </Fact>
            <Fact name="Reserve coverage" term="coverage">
              <span className="tabular">{data.percentage}%</span>
            </Fact>
          </FactList>
        ) : coverage.isError ? (
          <FailedState
            message="The cash could not be loaded."
            onRetry={coverage.refetch}
            pending={coverage.isFetching}
          />
        ) : (
          <Skeleton className="my-2 h-36 w-full" />
        )}
      </div>
      {canRead && <CashByAccount />}
    </Card>
  )
}

/** The height is the same while the accounts load, so that the content below does not move. */
function CashByAccount() {
  const { data } = useQuery(reserveQueries.readReserve())
  return (
    <section
      aria-labelledby="cash-by-account"
      className="mt-auto min-h-52 border-line border-t px-5 py-3"
    >
      <h3 id="cash-by-account" className="font-medium text-12 text-muted">
        Cash by account
      </h3>
      <ul className="grid max-h-44 grid-cols-1 overflow-y-auto">
        {data?.cash.map(({ option, name, balance }) => (
          <li key={option} className="flex min-h-8 items-center justify-between gap-3 text-14">
            <span className="min-w-0 truncate">{name}</span>
            <MoneyText minor={toMinor(balance)} />
          </li>
        ))}
      </ul>
    </section>
  )
}
