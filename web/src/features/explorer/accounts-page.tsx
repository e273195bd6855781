import { exportLogAccounts } from '@cairn/gateway-contracts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { Allowed } from '../../shared/session/permissions.tsx'
import { Card, CardHeader, HeaderActions } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { SearchField } from '../../shared/ui/search-field.tsx'
import { Switch } from '../../shared/ui/switch.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { toLedgerPath, toLedgerQuery } from '../../shared/url/ledger-of-url.ts'
import { useNavigate, useSearchParams } from '../../shared/url/navigation.tsx'
import { useUrlState } from '../../shared/url/url-state.ts'
import { useTable } from '../preferences/index.ts'
import { AccountCode } from './account-code.tsx'
import { useAccountLabels } from './account-labels.ts'
import { LedgerSelect, useChosenLedger } from './ledger-select.tsx'
import { OpeningBalancesCard } from './opening-balances-card.tsx'
import { explorerQueries } from './queries.ts'
import { Credit, Debit, getSide, LedgerAmount } from './sides.tsx'
import { TrialBalance } from './trial-balance.tsx'

type Account = {
  account: string
  balance: number
  lastSeq: string
  person?: { name: string } | undefined
}
type Row = Account & { label: string }

const COLUMNS: ReadonlyArray<Column<Row>> = [
  { id: 'account', header: 'Account', renderCell: (row) => <Name row={row} /> },
  {
    id: 'last',
    header: 'Last event',
    align: 'right',
    renderCell: (row) => <span className="tabular">{row.lastSeq}</span>,
  },
  {
    id: 'debit',
    header: 'Debit',
    align: 'right',
    renderCell: (row) => <Debit balance={row.balance} code={row.account} />,
  },
  {
    id: 'credit',
    header: 'Credit',
    align: 'right',
    renderCell: (row) => <Credit balance={row.balance} code={row.account} />,
  },
]

export function AccountsPage() {
  const [search] = useSearchParams()
  const url = useUrlState()
  const navigate = useNavigate()
  const typed = search.get('q') ?? ''
  const prefix = typed.trim()
  const ledger = useChosenLedger()
  const query = useInfiniteQuery(explorerQueries.listAccounts(prefix, ledger))
  // The trial balance has a row for each kind of account, so its height is unknown before it has
  // loaded. What follows it waits, so that it does not move.
  const hasTrialBalance = !useQuery(explorerQueries.readTrialBalance(null, ledger)).isPending
  const table = useTable('accounts', COLUMNS)
  const hasZeros = search.get('zero') === 'shown'
  const accounts = query.data?.pages.flatMap((page) => page.accounts)
  // The rows wait for the labels, because a row would grow with a longer label.
  const label = useAccountLabels({ hasCash: true })
  return (
    <>
      <PageHeader
        text="Every balance is the sum of its postings. Cash is a debit; money owed to investors and the operator’s own money are credits."
        actions={<LedgerSelect />}
      />
      <TrialBalance ledger={ledger} />
      {hasTrialBalance && ledger === null && (
        <Allowed permission="ledger.permitImport">
          <OpeningBalancesCard />
        </Allowed>
      )}
      {hasTrialBalance && (
        <Card>
          <CardHeader
            title="All accounts"
            action={
              <HeaderActions>
                {table.menu}
                <CsvLink
                  endpoint={exportLogAccounts}
                  query={{ ...toLedgerQuery(ledger), prefix }}
                  what="accounts"
                />
              </HeaderActions>
            }
          />
          <div className="grid gap-3 border-line border-b px-5 py-4 sm:grid-cols-[1fr_auto] sm:items-end">
            <SearchField
              label="Search accounts"
              placeholder="Account code or user ID"
              value={typed}
              onChange={(q) => url.set({ q }, { replace: true })}
            />
            <div className="grid items-center sm:h-11">
              <Switch
                label="Zero balances"
                checked={hasZeros}
                onChange={(isOn) => url.set({ zero: isOn ? 'shown' : null }, { replace: true })}
              />
            </div>
          </div>
          <DataTable
            caption="Accounts"
            columns={table.columns}
            isCompact={table.isCompact}
            query={{
              ...query,
              data:
                accounts === undefined || label === null
                  ? undefined
                  : groupByOwner(accounts, hasZeros).map((row) => ({
                      ...row,
                      label: label(row.account),
                    })),
            }}
            groupOf={getOwnerName}
            keyOf={(row) => row.account}
            narrow={(row) => (
              <span className="flex items-center justify-between gap-3">
                <Name row={row} />
                <span className="shrink-0 text-right">
                  <LedgerAmount amount={Math.abs(row.balance)} code={row.account} />
                  <span className="block text-12 text-muted">{getSide(row.balance)}</span>
                </span>
              </span>
            )}
            failed={getErrorMessage(query.error, 'The accounts could not be loaded.')}
            onOpen={(row) => {
              const path = `/manage/admin/accounts/${encodeURIComponent(row.account)}`
              void navigate(toLedgerPath(path, ledger))
            }}
            openLabel={(row) => `Statement of ${row.account}`}
            empty={<EmptyState title="No accounts found" />}
          />
          <MoreRows query={query} label="Load more accounts" />
        </Card>
      )}
    </>
  )
}

function getOwnerName({ person }: Row): string {
  return person?.name ?? 'The operator'
}

/** Sorts the operator's accounts first and keeps the accounts of a person together. */
function groupByOwner(accounts: readonly Account[], hasZeros: boolean): Account[] {
  const shown = hasZeros ? accounts : accounts.filter(({ balance }) => balance !== 0)
  return [
    ...shown.filter(({ person }) => person === undefined),
    ...shown.filter(({ person }) => person !== undefined),
  ]
}

function Name({ row }: { row: Row }) {
  return (
    <span className="grid min-w-32">
      <span className="wrap-anywhere font-medium">{row.label}</span>
      <span className="text-12 text-muted">
        <AccountCode code={row.account} />
      </span>
    </span>
  )
}
