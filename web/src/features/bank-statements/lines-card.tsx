import { exportBankLines } from '@cairn/gateway-contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { toMinor } from '../../shared/money/money.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader, HeaderActions } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Select } from '../../shared/ui/inputs.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { useTable } from '../preferences/index.ts'
import { LineBadge } from './line-badge.tsx'
import { LinePanel } from './line-panel.tsx'
import { type BankLine, bankStatementQueries, type LineState } from './queries.ts'

const STATES: ReadonlyArray<readonly [LineState, string]> = [
  ['open', 'Not matched'],
  ['matched', 'Matched'],
  ['all', 'All lines'],
]

const COLUMNS: ReadonlyArray<Column<BankLine>> = [
  { id: 'day', header: 'Day', renderCell: (row) => <DateText at={row.day} format="day" /> },
  {
    id: 'reference',
    header: 'Bank description',
    renderCell: (row) => <Reference line={row} />,
  },
  { id: 'state', header: 'Status', renderCell: (row) => <LineBadge line={row} /> },
  {
    id: 'amount',
    header: 'Amount',
    align: 'right',
    renderCell: (row) => <MoneyText minor={toMinor(row.amount)} signed className="font-medium" />,
  },
]

/**
 * Lists the lines of all imported statements. Waits until it is known whether there is a statement,
 * so that the text of an empty list does not change.
 */
export function LinesCard({
  option,
  hasStatement,
  onImport,
}: {
  option: string
  hasStatement: boolean | null | undefined
  onImport: () => void
}) {
  const [search] = useSearchParams()
  const url = useUrlState()
  const state = STATES.find(([name]) => name === search.get('state'))?.[0] ?? 'open'
  const query = useInfiniteQuery(bankStatementQueries.listLines(option, state))
  const table = useTable('bankLines', COLUMNS, { what: 'bank lines' })
  return (
    <Card>
      <CardHeader
        title="Bank lines"
        note="Lines of the imported statements"
        action={
          <HeaderActions>
            <Select
              aria-label="Filter lines"
              className="w-40"
              value={state}
              onChange={(event) => url.set({ state: event.target.value })}
            >
              {STATES.map(([name, words]) => (
                <option key={name} value={name}>
                  {words}
                </option>
              ))}
            </Select>
            {table.menu}
            <CsvLink
              endpoint={exportBankLines}
              params={{ option }}
              query={{ state }}
              what="bank lines"
            />
          </HeaderActions>
        }
      />
      {/* The empty list is as high as the loaded list, so that the content below does not move. */}
      <div className="min-h-82">
        <DataTable
          caption="Lines of bank statements"
          columns={table.columns}
          isCompact={table.isCompact}
          query={{
            ...query,
            data:
              hasStatement === undefined
                ? undefined
                : query.data?.pages.flatMap(({ lines }) => lines),
          }}
          keyOf={(row) => row.id}
          narrow={(row) => (
            <span className="grid gap-1">
              <span className="flex items-baseline justify-between gap-3">
                <DateText at={row.day} format="day" />
                <MoneyText minor={toMinor(row.amount)} signed className="font-medium" />
              </span>
              <Reference line={row} />
              <span>
                <LineBadge line={row} />
              </span>
            </span>
          )}
          failed={getErrorMessage(query.error, 'The lines could not be loaded.')}
          onOpen={(row) => url.set({ line: row.id })}
          openLabel={(row) => `Line of ${row.day}`}
          empty={
            hasStatement === null ? (
              <EmptyState title="No lines shown" text="The account could not be loaded." />
            ) : (
              <EmptyState
                title={
                  hasStatement === false
                    ? 'No statement imported yet'
                    : state === 'open'
                      ? 'No unmatched lines'
                      : 'No lines found'
                }
                text={
                  hasStatement
                    ? 'Each line of the imported statements is matched to a movement in the ledger.'
                    : 'Download a CSV statement for this account from the bank and import it here.'
                }
                action={<Button onClick={onImport}>Import statement</Button>}
              />
            )
          }
        />
      </div>
      <MoreRows query={query} label="Load older lines" />
      <LinePanel id={search.get('line')} onClose={() => url.set({ line: null })} />
    </Card>
  )
}

function Reference({ line }: { line: BankLine }) {
  if (line.reference === '') return <span className="text-muted">No reference</span>
  return <span className="line-clamp-2 max-w-prose break-words">{line.reference}</span>
}
