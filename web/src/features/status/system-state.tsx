import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react'
import { Allowed, useHasPermission } from '../../shared/session/permissions.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { describeBackupProblem } from './describe-backup-problem.ts'
import { describeImpairment } from './describe-impairment.ts'
import { LedgerState } from './ledger-state.tsx'
import { statusQueries } from './queries.ts'
import { StateLink, StatePlaceholder } from './state-link.tsx'

/** The size is the same in every state, so that nothing moves. */
const SIZE = 'h-11 w-full sm:w-64'
const WORKING = { icon: CircleCheck, color: 'text-success', words: 'All systems working' }
const WARNING = { icon: TriangleAlert, color: 'text-pending' }
/** Backups run once a day, so their state is read less often than the state of the site. */
const BACKUPS_REFRESH_MS = 60_000

/**
 * Shows two states: whether the parts of the site work and backups are made, and whether the ledger
 * agrees with its log. The two are separate, because working systems do not show that the ledger was
 * verified. An administrator who may not read the ledger sees only the state of the site.
 */
export function SystemState() {
  return (
    <div className="flex flex-wrap gap-x-3 -mx-2 gap-y-1">
      <SiteState />
      <Allowed permission="ledger.read">
        <LedgerState />
      </Allowed>
    </div>
  )
}

function SiteState() {
  const status = useQuery(statusQueries.readSystemStatus())
  const look = findLook(status.data?.parts)
  const canReadJobs = useHasPermission()('jobs.read')
  const jobs = useQuery({
    ...statusQueries.readJobs(),
    refetchInterval: BACKUPS_REFRESH_MS,
    enabled: canReadJobs,
  })
  // A site without backups must not look well until the state of the backups has loaded.
  if (status.isPending || (look === WORKING && jobs.isLoading)) {
    return <StatePlaceholder className={SIZE} />
  }
  const problem =
    jobs.data !== undefined
      ? describeBackupProblem(jobs.data, Date.now())
      : jobs.isError
        ? 'State of the backups unknown'
        : null
  return (
    <StateLink
      to={canReadJobs ? '/manage/admin/jobs' : '/status'}
      {...look}
      {...(problem !== null &&
        look === WORKING && {
          ...WARNING,
          words: jobs.data === undefined ? 'Backups not checked' : 'Backups need attention',
        })}
      className={SIZE}
    >
      {problem !== null ? (
        <span className="text-pending">{problem}</span>
      ) : (
        status.data !== undefined && (
          <>
            Checked <DateText at={status.data.checkedAt} format="time" />
          </>
        )
      )}
    </StateLink>
  )
}

function findLook(parts: Parameters<typeof describeImpairment>[0] | undefined) {
  if (parts === undefined)
    return { icon: CircleHelp, color: 'text-muted', words: 'System state unknown' }
  const impairment = describeImpairment(parts)
  return impairment === null ? WORKING : { ...WARNING, words: impairment }
}
