import type { getDurability, PartState, ResponseOf } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, CircleX, Clock } from 'lucide-react'
import { Badge } from '../../shared/ui/badge.tsx'
import { Card, CardHeader } from '../../shared/ui/card.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { FailedState } from '../../shared/ui/failed-state.tsx'
import { FigurePlaceholder } from '../../shared/ui/figure-placeholder.tsx'
import { TextLink } from '../../shared/ui/text-link.tsx'
import { explorerQueries } from '../explorer/index.ts'
import { BackupFacts, type BackupsRead } from './backup-facts.tsx'
import { InlineFact } from './inline-fact.tsx'
import { PART_NAMES } from './part-names.ts'
import { statusQueries } from './queries.ts'
import { ServerFacts } from './server-facts.tsx'

const STATES = {
  working: { tone: 'success', icon: CircleCheck, word: 'Working' },
  delayed: { tone: 'pending', icon: Clock, word: 'Delayed' },
  away: { tone: 'declined', icon: CircleX, word: 'Not available' },
  unknown: { tone: 'neutral', icon: CircleHelp, word: 'Unknown' },
} as const satisfies Record<PartState, object>

/**
 * Shows the last measurement of each part, the last checkpoint, verification, backup and drill, and
 * the releases, database and disks.
 * `backups` is the answer that the page has already loaded for its list of jobs.
 */
export function SystemCard({ backups }: { backups: BackupsRead }) {
  const status = useQuery(statusQueries.readSystemStatus())
  const checkedAt = status.data?.checkedAt
  return (
    <Card>
      <CardHeader
        title="System health"
        note={
          <span className="tabular">
            Last checked {checkedAt === undefined ? '–' : <DateText at={checkedAt} format="time" />}
          </span>
        }
        action={
          <TextLink to="/status" className="text-14">
            Public status page
          </TextLink>
        }
      />
      <div className="grid gap-4 px-5 py-4 text-14">
        {status.isError && status.data === undefined ? (
          <FailedState
            message="The state of the system could not be loaded."
            error={status.error}
            onRetry={status.refetch}
            pending={status.isFetching}
          />
        ) : (
          <dl className="grid min-h-33 content-start gap-x-8 gap-y-3 sm:flex sm:min-h-6 sm:flex-wrap">
            {status.data === undefined && (
              <FigurePlaceholder hasFailed={false} className="h-6 w-60" />
            )}
            {status.data?.parts.map(({ part, state }) => (
              <div key={part} className="flex items-center justify-between gap-2">
                <dt className="text-muted">{PART_NAMES[part]}</dt>
                <dd>
                  <Badge {...STATES[state]} />
                </dd>
              </div>
            ))}
          </dl>
        )}
        <dl className="grid gap-x-8 gap-y-3 sm:grid-cols-2 xl:grid-cols-3">
          <LogFacts />
          <BackupFacts backups={backups} />
          <ServerFacts workers={backups.data?.workers} />
        </dl>
      </div>
    </Card>
  )
}

const RUNS = {
  running: 'Running, started',
  agrees: 'No differences,',
  differs: 'A difference was found,',
  'cut-off': 'Interrupted,',
} as const

function describeDurability({ required, now }: ResponseOf<typeof getDurability>): string {
  if (now === 'standby') return 'Primary and standby database server'
  if (required === 'local') return 'Primary database server'
  return 'Primary database server only; a standby is required'
}

function LogFacts() {
  const heads = useInfiniteQuery(explorerQueries.listCheckpoints(null))
  const runs = useQuery(explorerQueries.listVerifications(null))
  const head = heads.data?.pages[0]?.checkpoints[0]
  const run = runs.data?.verifications[0]
  const durability = useQuery(explorerQueries.readDurability())
  return (
    <>
      <InlineFact name="Last checkpoint">
        {heads.data === undefined ? (
          <FigurePlaceholder hasFailed={heads.isError} className="h-5 w-40" />
        ) : head === undefined ? (
          'None yet'
        ) : (
          <>
            <TextLink to="/manage/admin/checkpoints">
              {formatCounted(BigInt(head.size), 'event')}
            </TextLink>
            , <DateText at={head.signedAt} format="relative" />
          </>
        )}
      </InlineFact>
      <InlineFact name="Durability">
        {durability.data === undefined ? (
          <FigurePlaceholder hasFailed={durability.isError} className="h-5 w-40" />
        ) : (
          describeDurability(durability.data)
        )}
      </InlineFact>
      <InlineFact name="Last verification of the ledger">
        {runs.data === undefined ? (
          <FigurePlaceholder hasFailed={runs.isError} className="h-5 w-40" />
        ) : run === undefined ? (
          'None yet'
        ) : (
          <>
            {RUNS[run.state]} <DateText at={run.startedAt} format="relative" />
          </>
        )}
      </InlineFact>
    </>
  )
}
