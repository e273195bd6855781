import { exportCheckpoints } from '@cairn/gateway-contracts'
import { formatCount } from '@cairn/gateway-contracts/counted'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getErrorMessage } from '../../shared/api/failure.ts'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader, HeaderActions } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { MoreRows } from '../../shared/ui/more-rows.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { saveFile } from '../../shared/ui/save-file.ts'
import type { Column } from '../../shared/ui/table-column.tsx'
import { toLedgerQuery } from '../../shared/url/ledger-of-url.ts'
import { useTable } from '../preferences/index.ts'
import type { SignedHead } from './consistency.ts'
import { ConsistencyCard } from './consistency-card.tsx'
import { HashText } from './hash-text.tsx'
import { LedgerSelect, useChosenLedger } from './ledger-select.tsx'
import { explorerQueries } from './queries.ts'
import { SigningKeyCard } from './signing-key-card.tsx'
import { VerificationCard } from './verification-card.tsx'

type Head = SignedHead & { signedAt: string }

const COLUMNS: ReadonlyArray<Column<Head>> = [
  {
    id: 'size',
    header: 'Events',
    renderCell: (row) => <span className="tabular font-medium">{formatCount(row.size)}</span>,
  },
  { id: 'root', header: 'Root', renderCell: (row) => <HashText hash={row.root} /> },
  {
    id: 'at',
    header: 'Signed',
    renderCell: (row) => <DateText at={row.signedAt} format="moment" />,
  },
  {
    id: 'note',
    header: 'Signed note',
    align: 'right',
    renderCell: (row) => (
      <Button
        size="small"
        onClick={() =>
          saveFile({ name: `checkpoint-${row.size}.txt`, text: row.note, mediaType: 'text/plain' })
        }
      >
        Download
      </Button>
    ),
  },
]

/** Lists the signed checkpoints and verifies them. */
export function CheckpointsPage() {
  const ledger = useChosenLedger()
  const query = useInfiniteQuery(explorerQueries.listCheckpoints(ledger))
  const verifications = useQuery(explorerQueries.listVerifications(ledger))
  const isPending = query.isPending || verifications.isPending
  const heads = query.data?.pages.flatMap((page) => page.checkpoints)
  const table = useTable('checkpoints', COLUMNS, { hasViews: false })
  const verifierKeys = query.data?.pages[0]?.verifierKeys ?? []
  return (
    <>
      <PageHeader
        text="Signed roots of the ledger. Copies outside the database reveal later changes."
        hasTimes
        actions={<LedgerSelect />}
      />
      <VerificationCard
        key={ledger}
        ledger={ledger}
        signed={query.isPending ? undefined : (heads?.[0]?.size ?? null)}
      />
      {/* The page waits for the verifications and the checkpoints, because the cards below would
         otherwise move. */}
      {!isPending && (
        <>
          {heads !== undefined && heads.length > 1 && (
            <ConsistencyCard
              key={ledger}
              heads={heads}
              verifierKeys={verifierKeys}
              ledger={ledger}
            />
          )}
          {/* The signing key of a further ledger is replaced on the server of the ledger. */}
          {ledger === null && (
            <SigningKeyCard verifierKeys={verifierKeys} hasFailed={heads === undefined} />
          )}
          <Card>
            <CardHeader
              title="Checkpoints"
              action={
                <HeaderActions>
                  {table.menu}
                  <CsvLink
                    endpoint={exportCheckpoints}
                    query={toLedgerQuery(ledger)}
                    what="checkpoints"
                  />
                </HeaderActions>
              }
            />
            <DataTable
              caption="Checkpoints"
              columns={table.columns}
              isCompact={table.isCompact}
              query={{ ...query, data: heads }}
              keyOf={(row) => row.size}
              narrow={(row) => (
                <span className="grid grid-cols-[4.5rem_1fr_auto] items-center gap-3">
                  <span className="tabular font-medium">{formatCount(row.size)}</span>
                  <HashText hash={row.root} />
                  <DateText at={row.signedAt} format="short" />
                </span>
              )}
              failed={getErrorMessage(query.error, 'The checkpoints could not be loaded.')}
              empty={<EmptyState title="No checkpoints yet" />}
            />
            <MoreRows query={query} label="Load older checkpoints" />
          </Card>
        </>
      )}
    </>
  )
}
