import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react'
import { Allowed } from '../../shared/session/permissions.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { describeImpairment } from './describe-impairment.ts'
import { LedgerState } from './ledger-state.tsx'
import { statusQueries } from './queries.ts'
import { StateLink } from './state-link.tsx'

/** The size is the same in every state, so that nothing moves. */
const SIZE = 'h-11 w-full sm:w-64'

/**
 * Shows two states: whether the parts of the site work, and whether the ledger agrees with its log.
 * The two are separate, because working systems do not show that the ledger was verified. An
 * administrator who may not read the ledger sees only the state of the site.
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
  const { data, isPending } = useQuery(statusQueries.readSystemStatus())
  if (isPending) return <Skeleton className={SIZE} />
  return (
    <StateLink to="/manage/admin/jobs" {...findLook(data?.parts)} className={SIZE}>
      {data !== undefined && (
        <>
          Checked <DateText at={data.checkedAt} format="time" />
        </>
      )}
    </StateLink>
  )
}

function findLook(parts: Parameters<typeof describeImpairment>[0] | undefined) {
  if (parts === undefined)
    return { icon: CircleHelp, color: 'text-muted', words: 'System state unknown' }
  const impairment = describeImpairment(parts)
  return impairment === null
    ? { icon: CircleCheck, color: 'text-success', words: 'All systems working' }
    : { icon: TriangleAlert, color: 'text-pending', words: impairment }
}
