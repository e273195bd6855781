import type { Verification } from '@cairn/gateway-contracts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleHelp, CircleX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
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

/** The size is the same in every state, so that nothing moves. */
const SIZE = 'h-16 w-72'

/**
 * Says whether the ledger agrees with its log, or which part of the site does not work, with the
 * times of the last verification and of the last signed checkpoint. Links to the page with the
 * details. An administrator who may not read the ledger sees only the state of the site.
 */
export function SystemState() {
  const canRead = useHasPermission()('ledger.read')
  const status = useQuery(statusQueries.readSystemStatus())
  const runs = useQuery({ ...explorerQueries.listVerifications(), enabled: canRead })
  const heads = useInfiniteQuery({ ...explorerQueries.listCheckpoints(), enabled: canRead })
  if (status.isPending || (canRead && (runs.isPending || heads.isPending)))
    return <Skeleton className={SIZE} />
  const areAllWorking = status.data?.parts.every(({ state }) => state === 'working')
  const run = runs.data?.verifications.find(isFinished)
  const times = !canRead ? null : (
    <>
      <TimeLine
        words="Ledger verified"
        at={run?.startedAt}
        none="Ledger not verified yet"
        hasFailed={runs.isError}
      />
      <TimeLine
        words="Checkpoint signed"
        at={heads.data?.pages[0]?.checkpoints[0]?.signedAt}
        none="No checkpoint signed yet"
        hasFailed={heads.isError}
      />
    </>
  )
  if (run?.state === 'differs') return <State look="differs" times={times} />
  if (areAllWorking === undefined) return <State look="unknown" times={times} />
  if (!areAllWorking) return <State look="impaired" times={times} />
  return <State look={run === undefined ? 'working' : 'agrees'} times={times} />
}

function isFinished({ state }: Verification): boolean {
  return state === 'agrees' || state === 'differs'
}

type StateProps = { look: keyof typeof LOOKS; times: ReactNode }

function State({ look, times }: StateProps) {
  const { icon: Icon, color, words, to } = LOOKS[look]
  return (
    <Link
      to={to}
      className={joinClasses(
        'inline-flex items-center gap-2 rounded-card px-2 text-14 text-muted hover:bg-sunken hover:text-ink max-sm:-mx-2 sm:justify-end',
        SIZE,
      )}
    >
      <Icon aria-hidden="true" className={joinClasses('size-4 shrink-0', color)} />
      <span className="grid min-w-0">
        {words}
        {times}
      </span>
    </Link>
  )
}

type TimeLineProps = {
  words: string
  at: string | undefined
  /** The text if the event has not happened yet. */
  none: string
  hasFailed: boolean
}

/** Names one time. If the time could not be loaded, says that it is unknown. */
function TimeLine({ words, at, none, hasFailed }: TimeLineProps) {
  return (
    <span className="tabular truncate text-12">
      {at !== undefined ? (
        <>
          {words} <DateText at={at} format="short" />
        </>
      ) : hasFailed ? (
        `${words}: time unknown`
      ) : (
        none
      )}
    </span>
  )
}
