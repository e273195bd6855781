import { formatCount } from '@cairn/gateway-contracts/counted'
import { CircleHelp, LogOut } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { getDashboardPath } from '../../shared/session/redirects.ts'
import { Wordmark } from '../../shared/ui/cairn-mark.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { Link, useLocation } from '../../shared/url/navigation.tsx'
import { getPageLabel, MENU_GROUPS, type MenuGroup } from '../../shared/url/page.ts'
import { isMarkedOn, listMenuPages, type MenuPage, type Viewer } from './manage-menu.ts'
import { type MenuCount, type MenuCounts, useMenuCounts } from './menu-counts.ts'

const ENTRY =
  'flex shrink-0 items-center gap-3 rounded-card px-3 text-14 transition-colors duration-150'

/** The height of an entry. All groups of an administrator fit on a common screen. */
const HEIGHTS = { user: 'h-11', admin: 'h-6.5' } as const

// The cast is safe because the keys of the object are the groups.
const GROUPS = Object.keys(MENU_GROUPS) as ReadonlyArray<keyof typeof MENU_GROUPS>

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
  const counts = useMenuCounts(viewer)
  const aside = useRef<HTMLElement>(null)
  useEffect(() => {
    // Only the menu scrolls here, because the sidebar is fixed.
    aside.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [])
  useEffect(() => {
    if (!isOpen) return
    const own = aside.current
    own?.querySelector('a')?.focus()
    return () => {
      // After a navigation, the focus does not return to the button, because the new page takes the
      // focus.
      if (own?.contains(document.activeElement)) {
        document.querySelector<HTMLElement>('[aria-controls="sidebar"]')?.focus()
      }
    }
  }, [isOpen])
  return (
    <aside
      ref={aside}
      id="sidebar"
      className={joinClasses(
        'fixed inset-y-0 left-0 z-40 w-64 flex-col border-line border-r bg-surface p-4 lg:flex',
        isOpen ? 'flex animate-fade-in' : 'hidden',
      )}
    >
      <Link to={getDashboardPath(role)} className="mb-3 w-fit max-w-full rounded-sm px-2 py-1.5">
        <Wordmark className="max-w-full" />
      </Link>
      <nav
        aria-label={role === 'admin' ? 'Administration' : 'Your account'}
        className="-mx-1 grid min-h-0 flex-1 content-start gap-1.5 overflow-y-auto p-1"
      >
        <Entries viewer={viewer} group="main" counts={counts} />
        {GROUPS.filter((group) => listMenuPages(viewer, group).length > 0).map((group) => (
          <section key={group} aria-labelledby={`menu-${group}`}>
            <h2 id={`menu-${group}`} className="px-3 pb-1 font-medium text-12 text-muted">
              {MENU_GROUPS[group]}
            </h2>
            <Entries viewer={viewer} group={group} counts={counts} />
          </section>
        ))}
      </nav>
      {role === 'user' && (
        <Link
          to="/faqs"
          className={joinClasses(ENTRY, 'mt-2 h-9 text-muted hover:bg-sunken hover:text-ink')}
        >
          <CircleHelp aria-hidden="true" className="size-5" />
          Help
        </Link>
      )}
      <button
        type="button"
        onClick={onLogout}
        className={joinClasses(
          ENTRY,
          'h-9 text-muted hover:bg-sunken hover:text-ink',
          role === 'admin' && 'mt-2',
        )}
      >
        <LogOut aria-hidden="true" className="size-5" />
        Logout
      </button>
    </aside>
  )
}

type EntriesProps = { viewer: Viewer; group: MenuGroup; counts: MenuCounts }

function Entries({ viewer, group, counts }: EntriesProps) {
  return (
    <ul className="grid gap-px">
      {listMenuPages(viewer, group).map((page) => (
        <li key={page.path}>
          <Entry page={page} height={HEIGHTS[viewer.role]} count={counts.get(page.path)} />
        </li>
      ))}
    </ul>
  )
}

type EntryProps = { page: MenuPage; height: string; count: MenuCount | undefined }

function Entry({ page, height, count }: EntryProps) {
  const { pathname } = useLocation()
  const isActive = isMarkedOn(page.path, pathname)
  const Icon = page.icon
  return (
    <Link
      to={page.path}
      // A page such as the deposit marks the entry of its list, to which this link leads.
      aria-current={isActive ? (pathname === page.path ? 'page' : 'true') : undefined}
      className={joinClasses(
        ENTRY,
        height,
        isActive
          ? 'bg-accent-soft font-semibold text-accent'
          : 'text-muted hover:bg-sunken hover:text-ink',
      )}
    >
      <Icon aria-hidden="true" className="size-5" />
      {getPageLabel(page)}
      {count !== undefined && (
        <span className="tabular ml-auto rounded-full bg-pending-soft px-2 font-medium text-12 text-pending">
          {formatCount(count.count)}
          <span className="sr-only"> {count.meaning}</span>
        </span>
      )}
    </Link>
  )
}
