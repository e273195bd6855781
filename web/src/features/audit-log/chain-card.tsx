import { exportAuditChain, toPath } from '@cairn/gateway-contracts'
import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'

import { Button, DOWNLOAD_LINK } from '../../shared/ui/button.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { Notice } from '../../shared/ui/notice.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { type AuditChain, auditLogQueries } from './queries.ts'

const PLACES = { below: 'max-sm:order-last', hidden: 'max-sm:hidden' } as const

/**
 * Compares all rows of the audit log with their hashes and with the seals in the ledger.
 * With `placeOnPhone`, the card is below the entries on a phone, or hidden there, unless the check
 * found a change.
 */
export function ChainCard({ placeOnPhone }: { placeOnPhone?: 'below' | 'hidden' | undefined }) {
  const chain = useQuery(auditLogQueries.readChainState())
  const hasProblem = chain.data !== undefined && chain.data.problem !== null
  const place = hasProblem || placeOnPhone === undefined ? undefined : PLACES[placeOnPhone]
  return (
    <Card className={place}>
      <CardHeader
        title="Integrity"
        action={
          <span className="flex flex-wrap items-center gap-2">
            <Button pending={chain.isFetching} onClick={() => chain.refetch()}>
              Check again
            </Button>
            <a
              href={toPath(exportAuditChain, {})}
              download
              className={joinClasses(DOWNLOAD_LINK, 'print:hidden')}
            >
              <Download aria-hidden="true" className="size-4" />
              Export with hashes
            </a>
          </span>
        }
      />
      <div className="grid gap-3 p-5 text-14" aria-live="polite">
        {chain.isPending && <Skeleton className="h-34 w-full sm:h-19" />}
        {chain.isError && (
          <FailedState
            message="The audit log could not be checked."
            error={chain.error}
            onRetry={chain.refetch}
            pending={chain.isFetching}
          />
        )}
        {chain.data !== undefined && (
          <ChainState chain={chain.data} checkedAt={new Date(chain.dataUpdatedAt).toISOString()} />
        )}
        <p className="text-muted">
          Each row has a hash that includes the row before it, and the newest hash is normally
          recorded in the ledger within a minute.{' '}
          <code className="sm:whitespace-nowrap">npm run ledger -- verify --audit FILE</code> checks
          an export on the server.
        </p>
      </div>
    </Card>
  )
}

function ChainState({ chain, checkedAt }: { chain: AuditChain; checkedAt: string }) {
  const { checkedTo, seal, problem, waiting } = chain
  const last = seal === null ? 0 : seal.count
  return (
    <>
      {problem === null ? (
        <Notice tone="success">
          {checkedTo === 0
            ? 'No rows have a hash yet. Checked '
            : `Checked up to row ${checkedTo}: all match. `}
          <DateText at={checkedAt} format="moment" />
        </Notice>
      ) : (
        <Notice tone="error">
          The audit log was changed: {problem.message}. The rows before {problem.position} match.
        </Notice>
      )}
      <p>
        {seal === null ? (
          'No rows are sealed in the ledger yet.'
        ) : (
          <>
            Rows 1 to {seal.count} are sealed in{' '}
            <TextLink to={`/manage/admin/ledger/${seal.event}`}>event {seal.event}</TextLink> at{' '}
            <DateText at={seal.sealedAt} format="moment" />.
          </>
        )}{' '}
        Rows after the last seal: {checkedTo - last + waiting.count}.
      </p>
    </>
  )
}
