import { exportClaims } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, EyeOff, FlaskConical, Quote, TextQuote } from 'lucide-react'
import { useState } from 'react'

import { Badge } from '../../shared/ui/badge.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { DataTable } from '../../shared/ui/data-table.tsx'
import { SidePanel } from '../../shared/ui/dialog.tsx'
import { EmptyState } from '../../shared/ui/empty-state.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import type { Column } from '../../shared/ui/table-column.tsx'
import { settingsQueries } from '../settings/index.ts'
import { AttestationsCard } from './attestations-card.tsx'
import { ClaimPanel } from './claim-panel.tsx'
import { describeReasons, getShownState } from './describe-claim.ts'
import { type AdminClaim, claimQueries } from './queries.ts'

/** The public pages use the same words for a claim that they state. */
const STATES = {
  proved: { tone: 'success', icon: BadgeCheck, word: 'Measured here' },
  demo: { tone: 'info', icon: FlaskConical, word: 'Demo evidence' },
  stated: { tone: 'info', icon: Quote, word: 'Stated by the operator' },
  weaker: { tone: 'neutral', icon: TextQuote, word: 'Weaker text' },
  hidden: { tone: 'neutral', icon: EyeOff, word: 'Not shown' },
} as const

const COLUMNS: ReadonlyArray<Column<AdminClaim>> = [
  {
    id: 'claim',
    header: 'Claim',
    renderCell: (row) => <span className="block min-w-40 font-medium">{row.wording}</span>,
  },
  { id: 'state', header: 'Status', renderCell: (row) => <StateBadge claim={row} /> },
  { id: 'text', header: 'Shown on the site', renderCell: (row) => describeText(row) },
  {
    id: 'missing',
    header: 'Missing evidence',
    renderCell: (row) => (
      <span className="text-muted">
        {row.reasons.length === 0 ? 'None' : describeReasons(row.reasons)}
      </span>
    ),
  },
]

/** Lists the claims that the site can state about itself, each with its rule. */
export function ClaimsPage() {
  const query = useQuery(claimQueries.listAdminClaims())
  const [openedKey, setOpenedKey] = useState<string | null>(null)
  const opened = query.data?.find(({ key }) => key === openedKey) ?? null
  const hasRows = query.data === undefined ? !query.isError : query.data.length > 0
  return (
    <>
      <PageHeader text="The claims on the public pages, each with its evidence. Without valid evidence, the pages show a weaker text automatically." />
      {/* The placeholder is as high as the loaded list, so that the attestations below do
          not move. */}
      <Card className={hasRows ? 'min-h-173 md:max-lg:min-h-215' : undefined}>
        <CardHeader title="All claims" action={<CsvLink endpoint={exportClaims} what="claims" />} />
        <DataTable
          caption="Claims"
          columns={COLUMNS}
          query={query}
          keyOf={(row) => row.key}
          narrow={(row) => (
            <span className="grid justify-items-start gap-1.5">
              <span className="font-medium">{row.wording}</span>
              <StateBadge claim={row} />
              <span className="text-muted">{describeText(row)}</span>
              {row.reasons.length > 0 && (
                <span className="text-muted">Missing evidence: {describeReasons(row.reasons)}</span>
              )}
            </span>
          )}
          failed="The claims could not be loaded."
          onOpen={(row) => setOpenedKey(row.key)}
          openLabel={(row) => `Rule and statement of ${row.wording}`}
          skeletonRows={12}
          empty={<EmptyState title="No claims" />}
        />
      </Card>
      <AttestationsCard />
      <SidePanel
        open={opened !== null}
        onOpenChange={(isOpen) => !isOpen && setOpenedKey(null)}
        title={opened?.wording ?? ''}
      >
        {opened !== null && (
          <ClaimPanel key={opened.key} claim={opened} onDone={() => setOpenedKey(null)} />
        )}
      </SidePanel>
    </>
  )
}

function StateBadge({ claim }: { claim: AdminClaim }) {
  const settings = useQuery(settingsQueries.readPublic()).data
  if (settings === undefined) return <Skeleton className="h-6 w-32" />
  const { isDemo } = settings
  return <Badge {...STATES[getShownState(claim, { isDemo })]} />
}

function describeText({ text }: AdminClaim): string {
  return text === '' ? 'Not offered' : text
}
