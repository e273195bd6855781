import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, TriangleAlert } from 'lucide-react'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { Link } from '../../shared/url/navigation.tsx'
import { statusQueries } from './queries.ts'

const LOOKS = {
  working: { icon: CircleCheck, color: 'text-success', words: 'All systems working' },
  impaired: { icon: TriangleAlert, color: 'text-pending', words: 'A system is not working' },
  unknown: { icon: CircleHelp, color: 'text-muted', words: 'System state unknown' },
} as const

/**
 * Says in one line whether all parts of the site work. Links to the page with the state of each
 * part.
 */
export function SystemState() {
  const { data, isError } = useQuery(statusQueries.readSystemStatus())
  if (data === undefined && !isError) return <Skeleton className="h-10 w-48" />
  const areAllWorking = data?.parts.every(({ state }) => state === 'working')
  const {
    icon: Icon,
    color,
    words,
  } = data === undefined ? LOOKS.unknown : areAllWorking ? LOOKS.working : LOOKS.impaired
  return (
    <Link
      to="/manage/admin/jobs"
      className="inline-flex h-10 min-w-48 items-center justify-end gap-2 rounded-card px-2 text-14 text-muted hover:bg-sunken hover:text-ink"
    >
      <Icon aria-hidden="true" className={joinClasses('size-4 shrink-0', color)} />
      {words}
    </Link>
  )
}
