import { exportStatements } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { toMinor } from '../../shared/money/money.ts'
import { Badge } from '../../shared/ui/badge.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { type BankStatement, bankStatementQueries } from './queries.ts'

const COLUMNS: ReadonlyArray<Column<BankStatement>> = [
  { id: 'days', header: 'Days', renderCell: (row) => <Days statement={row} /> },
  {
    id: 'lines',
    header: 'Lines',
    align: 'right',
    renderCell: (row) => (
      <span className="grid justify-items-end">
        <span className="tabular">{row.lines.toLocaleString('en-US')}</span>
        <span className="text-12 text-muted">{row.linesAdded.toLocaleString('en-US')} new</span>
      </span>
    ),
  },
  {
    id: 'opening',
    header: 'Opening',
    align: 'right',
    renderCell: (row) => <BalanceComparison bank={row.opening} books={row.booksOpening} />,
  },
  {
    id: 'closing',
    header: 'Closing',
    align: 'right',
    renderCell: (row) => <BalanceComparison bank={row.closing} books={row.booksClosing} />,
  },
  { id: 'state', header: 'Result', renderCell: (row) => <Result statement={row} /> },
]

/** Lists the imported statements, each with the bank's balance and the ledger's balance. */
export function ImportsCard({ option }: { option: string }) {
  const query = useQuery(bankStatementQueries.listStatements(option))
  return (
    <Card>
      <CardHeader
        title="Statements"
        note="Bank balance, and ledger balance below it"
        action={<CsvLink endpoint={exportStatements} params={{ option }} what="statements" />}
      />
      <DataTable
        caption="Imported statements"
        columns={COLUMNS}
        query={query}
        keyOf={(row) => row.id}
        narrow={(row) => (
          <span className="grid gap-1">
            <span className="flex flex-wrap items-center justify-between gap-2">
              <Days statement={row} />
              <Result statement={row} />
            </span>
            <span className="flex justify-between gap-3">
              <span>{formatCounted(row.lines, 'line')}</span>
              <span className="text-right">
                <BalanceComparison bank={row.closing} books={row.booksClosing} />
              </span>
            </span>
          </span>
        )}
        failed={getErrorMessage(query.error, 'The statements could not be loaded.')}
        skeletonRows={2}
        empty={<EmptyState title="No statement imported yet" />}
      />
    </Card>
  )
}

function Days({ statement }: { statement: BankStatement }) {
  return (
    <span className="grid">
      <span>
        <DateText at={statement.firstDay} format="day" /> to{' '}
        <DateText at={statement.lastDay} format="day" />
      </span>
      <span className="text-12 text-muted">
        By {statement.person?.name ?? 'Unknown'},{' '}
        <DateText at={statement.importedAt} format="moment" />
      </span>
    </span>
  )
}

function BalanceComparison({ bank, books }: { bank: number | null; books: number }) {
  return (
    <span className="grid justify-items-end">
      {bank === null ? <span className="text-muted">–</span> : <MoneyText minor={toMinor(bank)} />}
      <span className="text-12 text-muted">
        <MoneyText minor={toMinor(books)} />
      </span>
    </span>
  )
}

function Result({ statement }: { statement: BankStatement }) {
  if (statement.closing === null || statement.opening === null) {
    return <span className="text-12 text-muted">Without balances</span>
  }
  const difference = toMinor(statement.closing) - toMinor(statement.booksClosing)
  if (difference === 0n) return <Badge tone="success" icon={CircleCheck} word="Agrees" />
  return (
    <span className="inline-grid justify-items-start gap-1">
      <Badge tone="declined" icon={TriangleAlert} word="Differs" />
      <span className="text-12 text-muted">
        by <MoneyText minor={difference} signed />
      </span>
    </span>
  )
}
