import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react'
import { Allowed } from '../../shared/session/permissions.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { LedgerState } from './ledger-state.tsx'
import { statusQueries } from './queries.ts'
import { StateLink } from './state-link.tsx'

const LOOKS = {
  working: { icon: CircleCheck, color: 'text-success', words: 'All systems working' },
  impaired: { icon: TriangleAlert, color: 'text-pending', words: 'A system is not working' },
  unknown: { icon: CircleHelp, color: 'text-muted', words: 'System state unknown' },
} as const

/** The size is the same in every state, so that nothing moves. */
const SIZE = 'h-11 w-full sm:w-52'

/**
 * Shows two states: whether the parts of the site work, and whether the ledger agrees with its log.
 * The two are separate, because working systems do not show that the ledger was verified. An
 * administrator who may not read the ledger sees only the state of the site.
 */
export function SystemState() {
  return (
    <div className="flex flex-wrap gap-x-3 gap-y-1 max-sm:-mx-2">
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
  const areAllWorking = data?.parts.every(({ state }) => state === 'working')
  const look = areAllWorking === undefined ? 'unknown' : areAllWorking ? 'working' : 'impaired'
  return (
    <StateLink to="/manage/admin/jobs" {...LOOKS[look]} className={SIZE}>
      {data !== undefined && (
        <>
          Checked <DateText at={data.checkedAt} format="time" />
        </>
      )}
    </StateLink>
  )
}
