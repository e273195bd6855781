import { exportTrialBalance } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { getErrorMessage } from '../../shared/api/failure.ts'
import { getTimeZone, useDatePreferences } from '../../shared/dates/date-preferences.ts'
import { toInstant } from '../../shared/dates/wall-clock.ts'
import { sumByAsset } from '../../shared/money/asset-text.ts'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { toLedgerQuery } from '../../shared/url/ledger-of-url.ts'
import { describeKind } from './describe-event.ts'
import { explorerQueries } from './queries.ts'
import { Credit, Debit, LedgerAmount, LedgerMinor } from './sides.tsx'
import { TimeField } from './time-field.tsx'

type Row = {
  kind: string
  asset?: string | undefined
  balance: number
  total?: { debit: bigint; credit: bigint }
}

const COLUMNS: ReadonlyArray<Column<Row>> = [
  { id: 'kind', header: 'Accounts', renderCell: (row) => <Kind row={row} /> },
  {
    id: 'debit',
    header: 'Debit',
    align: 'right',
    renderCell: ({ balance, asset, total }) =>
      total === undefined ? (
        <Debit balance={balance} code={asset} />
      ) : (
        <Total minor={total.debit} asset={asset} />
      ),
  },
  {
    id: 'credit',
    header: 'Credit',
    align: 'right',
    renderCell: ({ balance, asset, total }) =>
      total === undefined ? (
        <Credit balance={balance} code={asset} />
      ) : (
        <Total minor={total.credit} asset={asset} />
      ),
  },
]

/** Shows all accounts by kind, now or at a given time. A sum other than zero is an error. */
export function TrialBalance({ ledger }: { ledger: number | null }) {
  const [time, setTime] = useState('')
  const at = toInstant(time, getTimeZone(useDatePreferences()))
  const { data, error, isError, refetch, isFetching } = useQuery(
    explorerQueries.readTrialBalance(at, ledger),
  )
  return (
    <Card>
      <CardHeader
        title="Trial balance"
        action={
          <CsvLink
            endpoint={exportTrialBalance}
            query={{ ...toLedgerQuery(ledger), at }}
            what="the trial balance"
          />
        }
      />
      <div className="grid gap-4 p-5">
        <TimeField
          label="As of (blank: now)"
          hint={data !== undefined ? `After event ${data.seq}` : isError ? 'Not loaded' : 'Loading'}
          className="max-w-xs"
          value={time}
          onChange={setTime}
        />
        {data !== undefined && data.sum !== 0 && (
          <Notice tone="error">
            The ledger does not balance. Stop all money decisions and verify the whole ledger.
          </Notice>
        )}
        {data?.rows.some(isOpen) === true && (
          <Notice tone="info">
            The import of opening balances is not complete: its account is not zero.
          </Notice>
        )}
      </div>
      <DataTable
        caption="Trial balance"
        columns={COLUMNS}
        query={{ isError, isFetching, refetch, data: data && addTotals(data.rows) }}
        keyOf={(row) => `${row.kind} ${row.asset ?? ''}`}
        narrow={(row) => (
          <span className="flex items-center justify-between gap-3">
            <Kind row={row} />
            <NarrowSides row={row} />
          </span>
        )}
        failed={getErrorMessage(error, 'The trial balance could not be loaded.')}
        skeletonRows={11}
        empty={<EmptyState title="No accounts yet" />}
      />
    </Card>
  )
}

/**
 * True for the account `opening` if its balance is not zero, because the import is then incomplete.
 */
function isOpen({ kind, balance }: Row): boolean {
  return kind === 'opening' && balance !== 0
}

/**
 * Groups the rows by asset. Returns the rows of each asset with the totals of debits and credits.
 */
function addTotals(rows: readonly Row[]): Row[] {
  const assets = new Set(rows.map(({ asset }) => asset))
  return [...assets].flatMap((asset) => {
    const ofAsset = rows.filter((row) => row.asset === asset)
    const sum = (amounts: readonly number[]) =>
      sumByAsset(amounts.map((amount) => ({ code: asset ?? '', amount }))).get(asset ?? null) ?? 0n
    const balances = ofAsset.map(({ balance }) => balance)
    const debit = sum(balances.filter((balance) => balance < 0).map((balance) => -balance))
    const credit = sum(balances.filter((balance) => balance > 0))
    return [...ofAsset, { kind: 'total', asset, balance: 0, total: { debit, credit } }]
  })
}

function Kind({ row }: { row: Row }) {
  if (row.total !== undefined) return <span className="font-semibold">Total</span>
  return <span className="font-medium">{describeKind(row.kind)}</span>
}

function Total({ minor, asset = '' }: { minor: bigint; asset?: string | undefined }) {
  return <LedgerMinor minor={minor} code={asset} className="font-semibold" />
}

function NarrowSides({ row: { balance, asset, total } }: { row: Row }) {
  if (total === undefined) {
    return (
      <span>
        <LedgerAmount amount={Math.abs(balance)} code={asset ?? ''} />{' '}
        <span className="text-12 text-muted">{balance < 0 ? 'Debit' : 'Credit'}</span>
      </span>
    )
  }
  const sides = [
    { name: 'Debit', minor: total.debit },
    { name: 'Credit', minor: total.credit },
  ]
  return (
    <span className="grid justify-items-end">
      {sides.map(({ name, minor }) => (
        <span key={name}>
          <LedgerMinor minor={minor} code={asset ?? ''} />{' '}
          <span className="text-12 text-muted">{name}</span>
        </span>
      ))}
    </span>
  )
}
