import { useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { Link, NavLink } from 'react-router-dom'

import { approvalQueries } from '../../features/changes/queries.ts'
import { getDashboardPath } from '../../shared/session/redirects.ts'
import { Wordmark } from '../../shared/ui/cairn-mark.tsx'
import { cx } from '../../shared/ui/cx.ts'
import { getPageLabel } from '../../shared/url/page.ts'
import { listMenuPages, type MenuPage, type Viewer } from './manage-menu.ts'

const APPROVALS = '/manage/admin/approvals'

const ENTRY =
  'flex h-11 shrink-0 items-center gap-3 rounded-card px-3 text-14 transition-colors duration-150'

/**
 * The classes of a menu entry. It is so low that both groups fit on a common screen without
 * scrolling.
 */
const LOW_ENTRY =
  'flex h-9 shrink-0 items-center gap-3 rounded-card px-3 text-14 transition-colors duration-150'

export function Sidebar({
  viewer,
  isOpen,
  onLogout,
}: {
  viewer: Viewer
  isOpen: boolean
  onLogout: () => void
}) {
  const { role } = viewer
  const audit = listMenuPages(viewer, 'audit')
  return (
    <aside
      id="sidebar"
      className={cx(
        'fixed inset-y-0 left-0 z-40 w-64 flex-col border-line border-r bg-surface p-4 lg:flex',
        isOpen ? 'flex animate-fade-in' : 'hidden',
      )}
    >
      <Link to={getDashboardPath(role)} className="mb-6 w-fit rounded-sm px-2 py-1.5">
        <Wordmark />
      </Link>
      <div className="-mx-1 min-h-0 flex-1 overflow-y-auto px-1">
        <nav
          aria-label={role === 'admin' ? 'Administration' : 'Your account'}
          className="grid gap-1"
        >
          <Entries pages={listMenuPages(viewer, 'main')} />
        </nav>
        {audit.length > 0 && (
          <nav aria-labelledby="audit-menu" className="mt-5 grid gap-1 border-line border-t pt-4">
            <h2 id="audit-menu" className="px-3 pb-1 font-medium text-12 text-muted">
              Audit and operations
            </h2>
            <Entries pages={audit} low />
          </nav>
        )}
      </div>
      <button
        type="button"
        onClick={onLogout}
        className={cx(ENTRY, 'mt-2 shrink-0 text-muted hover:bg-sunken hover:text-ink')}
      >
        <LogOut aria-hidden="true" className="size-5" />
        Logout
      </button>
    </aside>
  )
}

/** Shows the number of change requests that this administrator may decide. */
function WaitingCount() {
  const { data } = useQuery(approvalQueries.count())
  if (data === undefined || data.forMe === 0) return null
  return (
    <span className="tabular ml-auto rounded-full bg-pending-soft px-2 font-medium text-12 text-pending">
      {data.forMe}
      <span className="sr-only"> waiting for your approval</span>
    </span>
  )
}

function Entries({ pages, low = false }: { pages: readonly MenuPage[]; low?: boolean }) {
  return pages.map(({ path, icon: Icon, ...page }) => (
    <NavLink
      key={path}
      to={path}
      className={({ isActive }) =>
        cx(
          low ? LOW_ENTRY : ENTRY,
          isActive
            ? 'bg-accent-soft font-semibold text-accent'
            : 'text-muted hover:bg-sunken hover:text-ink',
        )
      }
    >
      <Icon aria-hidden="true" className="size-5" />
      {getPageLabel(page)}
      {path === APPROVALS && <WaitingCount />}
    </NavLink>
  ))
}
