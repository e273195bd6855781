import { exportLogAccount } from '@cairn/gateway-contracts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { getTimeZone, useDatePreferences } from '../../shared/dates/date-preferences.ts'
import { toInstant } from '../../shared/dates/wall-clock.ts'
import { formatAssetAmount } from '../../shared/money/asset-text.ts'
import { toMinor } from '../../shared/money/money.ts'
import { Card, CardHeader, HeaderActions } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { StatCard, StatGroup } from '../../shared/ui/stat-card.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { toLedgerPath, toLedgerQuery } from '../../shared/url/ledger-of-url.ts'
import { useNavigate, useParams } from '../../shared/url/navigation.tsx'
import { useTable } from '../preferences/index.ts'
import { AccountCode } from './account-code.tsx'
import { useAccountLabels } from './account-labels.ts'
import { describeAccount, describeEvent } from './describe-event.ts'
import { useChosenLedger } from './ledger-select.tsx'
import { explorerQueries } from './queries.ts'
import { BalanceWithSide, Credit, Debit, getSide } from './sides.tsx'
import { TimeField } from './time-field.tsx'

type Line = {
  account: string
  seq: string
  type: string
  amount: number
  balance: number
  recordedAt: string
}

const COLUMNS: ReadonlyArray<Column<Line>> = [
  {
    id: 'event',
    header: 'Event',
    renderCell: (row) => (
      <span className="grid">
        <span className="font-medium">{describeEvent(row.type)}</span>
        <span className="tabular text-12 text-muted">#{row.seq}</span>
      </span>
    ),
  },
  {
    id: 'at',
    header: 'Recorded',
    renderCell: (row) => <DateText at={row.recordedAt} format="moment" />,
  },
  {
    id: 'debit',
    header: 'Debit',
    align: 'right',
    renderCell: (row) => <Debit balance={row.amount} code={row.account} />,
  },
  {
    id: 'credit',
    header: 'Credit',
    align: 'right',
    renderCell: (row) => <Credit balance={row.amount} code={row.account} />,
  },
  {
    id: 'balance',
    header: 'Balance after',
    align: 'right',
    renderCell: (row) => (
      <BalanceWithSide balance={row.balance} code={row.account} className="font-medium" />
    ),
  },
]

/** Lists the postings of one account and its balance, now or at a chosen time. */
export function AccountPage() {
  const { account = '' } = useParams()
  const navigate = useNavigate()
  const [recorded, setRecorded] = useState('')
  const [effective, setEffective] = useState('')
  const timeZone = getTimeZone(useDatePreferences())
  const at = toInstant(recorded, timeZone)
  const effectiveAt = toInstant(effective, timeZone)
  const ledger = useChosenLedger()
  const query = useInfiniteQuery(explorerQueries.readAccount(account, { at, effectiveAt, ledger }))
  const table = useTable('accountEntries', COLUMNS, { hasViews: false })
  const first = query.data?.pages[0]
  const label = useAccountLabels({ hasCash: account.startsWith('cash:') })
  return (
    <>
      <PageHeader
        title={label?.(account) ?? describeAccount(account)}
        above={{ to: toLedgerPath('/manage/admin/accounts', ledger), label: 'Accounts' }}
        text={
          <>
            Account <AccountCode code={account} />
            {ledger !== null && `, ledger ${ledger}`}.
          </>
        }
        hasTimes
      />
      <StatGroup label="Balances">
        <StatCard
          label="Balance now"
          value={first === undefined ? null : toFigure(first.balance, account)}
          isLoading={query.isPending}
          note={first === undefined ? '\u00a0' : getSide(first.balance)}
        />
        <PastBalance label="As of recorded time" account={account} past={first?.past ?? null} />
        <PastBalance
          label="As of effective time"
          account={account}
          past={first?.effective ?? null}
        />
      </StatGroup>
      <Card>
        <CardHeader
          title="Statement"
          action={
            <HeaderActions>
              {table.menu}
              <CsvLink
                endpoint={exportLogAccount}
                params={{ account }}
                query={toLedgerQuery(ledger)}
              />
            </HeaderActions>
          }
        />
        <div className="grid gap-4 border-line border-b px-5 py-4 sm:grid-cols-2">
          <TimeField
            label="As of (recorded time)"
            hint="Counts the events that were recorded until this time"
            value={recorded}
            onChange={setRecorded}
          />
          <TimeField
            label="As of (effective time)"
            hint="Counts the events that took effect until this time, even if they were recorded later"
            value={effective}
            onChange={setEffective}
          />
        </div>
        <DataTable
          caption="Statement"
          columns={table.columns}
          isCompact={table.isCompact}
          query={{ ...query, data: query.data?.pages.flatMap(toLines) }}
          keyOf={(row) => `${row.seq} ${row.amount} ${row.balance}`}
          narrow={(row) => (
            <span className="grid">
              <span className="flex items-baseline justify-between gap-3">
                <span>
                  {describeEvent(row.type)}{' '}
                  <span className="tabular text-12 text-muted">#{row.seq}</span>
                </span>
                <BalanceWithSide balance={row.amount} code={row.account} />
              </span>
              <span className="flex items-baseline justify-between gap-3 text-12 text-muted">
                <DateText at={row.recordedAt} format="moment" />
                <span>
                  Balance <BalanceWithSide balance={row.balance} code={row.account} />
                </span>
              </span>
            </span>
          )}
          failed={getErrorMessage(query.error, 'The statement could not be loaded.')}
          onOpen={(row) => void navigate(`/manage/admin/ledger/${row.seq}`)}
          openLabel={(row) => `Event ${row.seq}`}
          empty={<EmptyState title="No postings in this account" />}
        />
        <MoreRows query={query} label="Load older postings" />
      </Card>
    </>
  )
}

function toLines({ account, lines }: { account: string; lines: readonly Omit<Line, 'account'>[] }) {
  return lines.map((line) => ({ ...line, account }))
}

/** Returns the balance without its sign. The side says whether it is a debit or a credit. */
function toFigure(balance: number, account: string) {
  const amount = Math.abs(balance)
  const text = formatAssetAmount(amount, account)
  return text === null ? { money: toMinor(amount) } : { text }
}

type PastBalanceProps = {
  label: string
  account: string
  past: { seq: string; balance: number } | null
}

function PastBalance({ label, account, past }: PastBalanceProps) {
  return (
    <StatCard
      label={label}
      value={past === null ? { text: '–' } : toFigure(past.balance, account)}
      isLoading={false}
      note={
        past === null
          ? 'Choose a time below'
          : `${getSide(past.balance)}, of the events up to ${past.seq}`
      }
    />
  )
}
