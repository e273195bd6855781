import { exportOpenMovements } from '@cairn/gateway-contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { toMinor } from '../../shared/money/money.ts'
import { Card, CardHeader, HeaderActions } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { useNavigate } from '../../shared/url/navigation.tsx'
import { describeEvent } from '../explorer/index.ts'
import { useTable } from '../preferences/index.ts'
import { bankStatementQueries, type CashMovement } from './queries.ts'

const COLUMNS: ReadonlyArray<Column<CashMovement>> = [
  { id: 'day', header: 'Day', renderCell: (row) => <DateText at={row.day} format="day" /> },
  { id: 'type', header: 'Event', renderCell: (row) => describeEvent(row.type) },
  {
    id: 'reference',
    header: 'Reference',
    renderCell: (row) => <span className="tabular">{row.reference ?? '–'}</span>,
  },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    renderCell: (row) => <MoneyText minor={toMinor(row.amount)} signed className="font-medium" />,
  },
]

/**
 * Lists the ledger movements without a matching statement line, on the days that the imported
 * statements cover. Waits until it is known whether there is a statement, as the list of the lines
 * does.
 */
export function MovementsCard({
  option,
  hasStatement,
}: {
  option: string
  hasStatement: boolean | null | undefined
}) {
  const navigate = useNavigate()
  const query = useInfiniteQuery(bankStatementQueries.listMovements(option))
  const what = 'movements only in the ledger'
  const table = useTable('cashMovements', COLUMNS, { what, hasViews: false })
  return (
    <Card>
      <CardHeader
        title="Only in the ledger"
        note="On days covered by statements"
        action={
          <HeaderActions>
            {table.menu}
            <CsvLink endpoint={exportOpenMovements} params={{ option }} what={what} />
          </HeaderActions>
        }
      />
      {/* The placeholder is as high as the empty list, so that the card below does not move. */}
      <div className="min-h-58">
        <DataTable
          caption="Movements without a statement line"
          columns={table.columns}
          isCompact={table.isCompact}
          query={{
            ...query,
            data:
              hasStatement === undefined
                ? undefined
                : query.data?.pages.flatMap(({ movements }) => movements),
          }}
          keyOf={(row) => row.seq}
          narrow={(row) => (
            <span className="flex items-baseline justify-between gap-3">
              <span className="grid">
                <span>{describeEvent(row.type)}</span>
                <span className="text-12 text-muted">
                  <DateText at={row.day} format="day" />
                </span>
              </span>
              <MoneyText minor={toMinor(row.amount)} signed className="font-medium" />
            </span>
          )}
          failed={getErrorMessage(query.error, 'The movements could not be loaded.')}
          skeletonRows={3}
          onOpen={(row) => void navigate(`/manage/admin/ledger/${row.seq}`)}
          openLabel={(row) => `Event ${row.seq}`}
          empty={
            hasStatement === null ? (
              <EmptyState title="No movements shown" text="The account could not be loaded." />
            ) : (
              <EmptyState
                title={hasStatement ? 'No unmatched movements' : 'No statement imported yet'}
                text={
                  hasStatement
                    ? 'Each movement on a day that a statement covers is matched to a statement line.'
                    : 'Movements are compared on the days that a statement covers.'
                }
              />
            )
          }
        />
      </div>
      <MoreRows query={query} label="Load older movements" />
    </Card>
  )
}
