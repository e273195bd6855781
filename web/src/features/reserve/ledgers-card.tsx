import { formatCounted } from '@cairn/gateway-contracts/counted'
import { toMinor } from '../../shared/money/money.ts'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { DataTable, type ListQuery } from '../../shared/ui/data-table.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import type { Reserve } from './queries.ts'

type LedgerRow = NonNullable<Reserve['ledgers']>[number]

const COLUMNS: ReadonlyArray<Column<LedgerRow>> = [
  { id: 'ledger', header: 'Ledger', renderCell: (row) => `Ledger ${row.ledger}` },
  {
    id: 'events',
    header: 'Events',
    align: 'right',
    renderCell: (row) => <span className="tabular">{row.events.toLocaleString('en-US')}</span>,
  },
  {
    id: 'coverage',
    header: 'Coverage',
    align: 'right',
    renderCell: (row) => <span className="tabular">{row.percentage}%</span>,
  },
  {
    id: 'reserve',
    header: 'Free reserve',
    align: 'right',
    renderCell: (row) => <MoneyText minor={toMinor(row.reserve)} />,
  },
  {
    id: 'committed',
    header: 'Promised profit',
    align: 'right',
    renderCell: (row) => <MoneyText minor={toMinor(row.committed)} />,
  },
  {
    id: 'shortfall',
    header: 'Shortfall',
    align: 'right',
    renderCell: (row) => <MoneyText minor={toMinor(row.shortfall)} />,
  },
  {
    id: 'liabilities',
    header: 'Owed to investors',
    align: 'right',
    renderCell: (row) => <MoneyText minor={toMinor(row.liabilities)} />,
  },
]

/** Shows the coverage of each ledger, if the site has more than one. */
export function LedgersCard({
  query,
}: {
  query: Omit<ListQuery<LedgerRow>, 'data'> & { data: Reserve | undefined }
}) {
  const rows = query.data?.ledgers
  if (rows === undefined) return null
  return (
    <Card>
      <CardHeader
        title="Coverage by ledger"
        note="The money of one ledger covers no promise of another"
      />
      <DataTable
        caption="Coverage by ledger"
        columns={COLUMNS}
        query={{ ...query, data: rows }}
        keyOf={(row) => String(row.ledger)}
        narrow={(row) => (
          <span className="flex justify-between gap-3">
            <span className="grid content-start">
              <span>Ledger {row.ledger}</span>
              <span className="text-12 text-muted">{formatCounted(row.events, 'event')}</span>
            </span>
            <span className="grid justify-items-end">
              <span className="tabular">{row.percentage}%</span>
              <span className="text-12 text-muted">
                Free reserve <MoneyText minor={toMinor(row.reserve)} />
              </span>
              {row.shortfall > 0 && (
                <span className="text-12 text-muted">
                  Shortfall <MoneyText minor={toMinor(row.shortfall)} />
                </span>
              )}
            </span>
          </span>
        )}
        failed="The coverage could not be loaded."
        empty={<EmptyState title="No ledgers" />}
      />
    </Card>
  )
}
