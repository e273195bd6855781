import { useQuery } from '@tanstack/react-query'
import { ShieldCheck, UserRound } from 'lucide-react'
import { getDualControlQuery } from '../../features/changes/queries.ts'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { Link } from '../../shared/url/navigation.tsx'
import { CONTENT_WIDTH } from './content-width.ts'

const MODES = {
  required: { icon: ShieldCheck, look: '', text: 'Two administrators required', action: null },
  single: {
    icon: UserRound,
    look: 'text-pending',
    text: 'One administrator can approve alone.',
    action: 'Require two',
  },
} as const

/**
 * Shows the mode of dual control. Its height is constant, so that the page below does not move when
 * the mode has loaded.
 */
export function ControlBar() {
  const { data, errorUpdateCount, isFetching, refetch } = useQuery(getDualControlQuery())
  return (
    <aside
      aria-label="Dual control"
      className="h-9 border-line border-b text-12 text-muted print:hidden"
    >
      <div className={joinClasses(CONTENT_WIDTH, 'flex h-full items-center px-4')}>
        {data !== undefined ? (
          <Mode mode={data.mode} />
        ) : (
          // The button stays while the mode is read again, so that it keeps the focus.
          errorUpdateCount > 0 && (
            <p>
              The approval mode could not be loaded.{' '}
              <button
                type="button"
                className="min-h-6 font-medium text-ink underline underline-offset-4"
                aria-disabled={isFetching}
                onClick={() => {
                  if (!isFetching) void refetch()
                }}
              >
                Retry
              </button>
            </p>
          )
        )}
      </div>
    </aside>
  )
}

function Mode({ mode }: { mode: keyof typeof MODES }) {
  const { icon: Icon, look, text, action } = MODES[mode]
  return (
    <Link
      to="/manage/admin/roles"
      className={joinClasses(
        'inline-flex min-h-6 items-center gap-1.5 underline-offset-4 hover:text-ink hover:underline',
        look,
      )}
    >
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      <span>
        {text} {action !== null && <span className="font-medium underline">{action}</span>}
      </span>
    </Link>
  )
}
