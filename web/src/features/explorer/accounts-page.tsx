import { exportLogAccounts } from '@cairn/gateway-contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router-dom'

import { toMinor } from '../../shared/money/money.ts'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { MoneyText } from '../../shared/ui/money-text.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { TextField } from '../../shared/ui/text-field.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { describeAccount } from './describe-event.ts'
import { explorerQueries } from './queries.ts'
import { TrialBalance } from './trial-balance.tsx'

type Row = {
  account: string
  balance: number
  lastSeq: string
  person?: { name: string } | undefined
}

const COLUMNS: ReadonlyArray<Column<Row>> = [
  { id: 'account', header: 'Account', cell: (row) => <Name row={row} /> },
  {
    id: 'owner',
    header: 'Owner',
    cell: (row) => (
      <span className="wrap-anywhere block min-w-32">{row.person?.name ?? 'The operator'}</span>
    ),
  },
  {
    id: 'last',
    header: 'Last event',
    align: 'right',
    cell: (row) => <span className="tabular">{row.lastSeq}</span>,
  },
  {
    id: 'balance',
    header: 'Balance',
    align: 'right',
    cell: (row) => <MoneyText minor={toMinor(row.balance)} className="font-medium" />,
  },
]

export function AccountsPage() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const navigate = useNavigate()
  const prefix = search.get('q') ?? ''
  const query = useInfiniteQuery(explorerQueries.accounts(prefix))
  return (
    <>
      <PageHeader text="Every balance is the sum of its postings. Liabilities and the operator’s own money are positive; cash is negative." />
      <TrialBalance />
      <Card>
        <CardHeader
          title="All accounts"
          action={<CsvLink endpoint={exportLogAccounts} query={{ prefix }} what="accounts" />}
        />
        <div className="border-line border-b p-4">
          <TextField
            label="Search accounts"
            placeholder="Start of an account code, or a user id"
            value={prefix}
            onChange={(q) => url.set({ q }, { replace: true })}
          />
        </div>
        <DataTable
          caption="Accounts"
          columns={COLUMNS}
          query={{ ...query, data: query.data?.pages.flatMap((page) => page.accounts) }}
          keyOf={(row) => row.account}
          narrow={(row) => (
            <span className="flex items-center justify-between gap-3">
              <Name row={row} />
              <MoneyText minor={toMinor(row.balance)} />
            </span>
          )}
          failed="The accounts could not be loaded."
          onOpen={(row) =>
            void navigate(`/manage/admin/accounts/${encodeURIComponent(row.account)}`)
          }
          openLabel={(row) => `Statement of ${row.account}`}
          empty={<EmptyState title="No accounts found" />}
        />
        <MoreRows query={query} label="Load more accounts" />
      </Card>
    </>
  )
}

function Name({ row }: { row: Row }) {
  return (
    <span className="grid min-w-32">
      <span className="font-medium">{describeAccount(row.account)}</span>
      <span className="break-all text-12 text-muted">{row.account}</span>
    </span>
  )
}
