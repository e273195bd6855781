import { exportClaims } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, EyeOff, Quote } from 'lucide-react'
import { useState } from 'react'

import { Badge } from '../../shared/ui/badge.tsx'
import { Button } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { CsvLink } from '../../shared/ui/csv-link.tsx'
import { SidePanel } from '../../shared/ui/dialog.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { PageHeader } from '../../shared/ui/page-header.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { AttestationsCard } from './attestations-card.tsx'
import { ClaimPanel } from './claim-panel.tsx'
import { type AdminClaim, claimQueries } from './queries.ts'

const STATES = {
  proved: { tone: 'success', icon: BadgeCheck, word: 'Proved' },
  stated: { tone: 'info', icon: Quote, word: 'Stated by the operator' },
  withheld: { tone: 'neutral', icon: EyeOff, word: 'Not shown' },
} as const

/** Lists the claims that the public pages may show, each with its rule. */
export function ClaimsPage() {
  const query = useQuery(claimQueries.registry())
  const [openedKey, setOpenedKey] = useState<string | null>(null)
  const opened = query.data?.find(({ key }) => key === openedKey) ?? null
  return (
    <>
      <PageHeader
        text="Claims on the public pages and their evidence. A claim without valid evidence is replaced automatically."
        actions={<CsvLink endpoint={exportClaims} what="claims" />}
      />
      {query.isError && (
        <FailedState
          message="The claims could not be loaded."
          onRetry={query.refetch}
          pending={query.isFetching}
        />
      )}
      {query.isPending && <Skeleton className="h-96 w-full rounded-card" />}
      {query.data !== undefined && (
        <ul className="grid gap-4 lg:grid-cols-2">
          {query.data.map((claim) => (
            <li key={claim.key}>
              <ClaimCard claim={claim} onOpen={() => setOpenedKey(claim.key)} />
            </li>
          ))}
        </ul>
      )}
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

function ClaimCard({ claim, onOpen }: { claim: AdminClaim; onOpen: () => void }) {
  return (
    <Card className="flex h-full flex-col">
      <CardHeader title={claim.wording} action={<Badge {...STATES[claim.state]} />} />
      <div className="grid flex-1 content-start gap-3 p-5 text-14">
        <p>
          <span className="text-muted">Currently on the site: </span>
          {claim.text === '' ? 'nothing' : claim.text}
        </p>
        {claim.reasons.length > 0 && (
          <ul className="grid list-disc gap-1 pl-5 text-muted">
            {claim.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        )}
      </div>
      <div className="border-line border-t px-5 py-2.5">
        <Button size="small" onClick={onOpen} aria-label={`Rule and statement of ${claim.wording}`}>
          Rule and statement
        </Button>
      </div>
    </Card>
  )
}
