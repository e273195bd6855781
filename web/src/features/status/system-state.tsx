import type { Verification } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, CircleX, TriangleAlert } from 'lucide-react'
import { useHasPermission } from '../../shared/session/permissions.tsx'
import { DateText } from '../../shared/ui/date-text.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { Skeleton } from '../../shared/ui/skeleton.tsx'
import { Link } from '../../shared/url/navigation.tsx'
import { explorerQueries } from '../explorer/index.ts'
import { statusQueries } from './queries.ts'

const JOBS = '/manage/admin/jobs'
const CHECKPOINTS = '/manage/admin/checkpoints'
const LOOKS = {
  working: { icon: CircleCheck, color: 'text-success', words: 'All systems working', to: JOBS },
  impaired: {
    icon: TriangleAlert,
    color: 'text-pending',
    words: 'A system is not working',
    to: JOBS,
  },
  unknown: { icon: CircleHelp, color: 'text-muted', words: 'System state unknown', to: JOBS },
  agrees: { icon: CircleCheck, color: 'text-success', words: 'Ledger agrees', to: CHECKPOINTS },
  differs: {
    icon: CircleX,
    color: 'text-declined',
    words: 'Ledger differs',
    to: CHECKPOINTS,
  },
} as const

/**
 * Says in one line whether the ledger agrees with its log, or which part of the site does not work.
 * Links to the page with the details. An administrator who may not read the ledger sees only the
 * state of the site. The width is the same in every state, so that nothing moves.
 */
export function SystemState() {
  const canRead = useHasPermission()('ledger.read')
  const status = useQuery(statusQueries.readSystemStatus())
  const runs = useQuery({ ...explorerQueries.listVerifications(), enabled: canRead })
  if (status.isPending || (canRead && runs.isPending))
    return <Skeleton className="h-10 w-48 sm:w-72" />
  const areAllWorking = status.data?.parts.every(({ state }) => state === 'working')
  const newest = runs.data?.verifications.find(isFinished)
  if (newest?.state === 'differs') return <State look="differs" run={newest} />
  if (areAllWorking === undefined) return <State look="unknown" />
  if (!areAllWorking) return <State look="impaired" />
  return newest === undefined ? <State look="working" /> : <State look="agrees" run={newest} />
}

function isFinished({ state }: Verification): boolean {
  return state === 'agrees' || state === 'differs'
}

type StateProps = {
  look: keyof typeof LOOKS
  run?: Pick<Verification, 'since' | 'done' | 'startedAt'>
}

function State({ look, run }: StateProps) {
  const { icon: Icon, color, words, to } = LOOKS[look]
  return (
    <Link
      to={to}
      className="inline-flex h-10 w-48 items-center justify-end gap-2 rounded-card px-2 text-14 text-muted hover:bg-sunken hover:text-ink sm:w-72"
    >
      <Icon aria-hidden="true" className={joinClasses('size-4 shrink-0', color)} />
      <span className="grid min-w-0">
        {words}
        {run !== undefined && (
          <span className="tabular truncate text-12">
            {run.since === '0' && (
              <span className="max-sm:hidden">{formatCounted(BigInt(run.done), 'event')}, </span>
            )}
            checked <DateText at={run.startedAt} format="short" />
          </span>
        )}
      </span>
    </Link>
  )
}
