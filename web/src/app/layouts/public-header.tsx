import { Menu, X } from 'lucide-react'
import { type FocusEvent, type KeyboardEvent, type MouseEvent, useEffect, useState } from 'react'
import { getDashboardPath } from '../../shared/session/redirects.ts'
import { type StoredUser, useStoredUser } from '../../shared/session/stored-user.ts'
import { ButtonLink } from '../../shared/ui/button.tsx'
import { HomeLink } from '../../shared/ui/home-link.tsx'
import { joinClasses } from '../../shared/ui/join-classes.ts'
import { ThemeToggle } from '../../shared/ui/theme-toggle.tsx'
import { Link, NavLink, useLocation } from '../../shared/url/navigation.tsx'
import { getPageLabel, type PublicPage } from '../../shared/url/page.ts'
import { sitePages } from '../public-pages.ts'

const SOLID_AFTER_PX = 200

const MENU_PAGES = sitePages.filter(({ menu }) => menu === 'site')

export function PublicHeader() {
  const isSolid = useScrolledPast(SOLID_AFTER_PX)
  const { pathname } = useLocation()
  const user = useStoredUser()
  return (
    <header
      className={joinClasses(
        'sticky top-0 z-30 border-b transition-colors duration-150 max-lg:has-[[open]]:border-line max-lg:has-[[open]]:bg-surface',
        isSolid ? 'border-line bg-surface' : 'border-transparent bg-ground',
      )}
    >
      {/* The height stays the same while scrolling, because a change would move the page. */}
      <div className="mx-auto flex max-w-site items-center gap-6 px-5 py-3">
        <HomeLink />
        <nav aria-label="Site" className="ml-4 hidden flex-1 gap-6 text-14 lg:flex">
          {MENU_PAGES.map((page) => (
            <PageLink key={page.path} page={page} />
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1 sm:gap-2">
          <span className="max-[22rem]:hidden">
            <ThemeToggle />
          </span>
          <AccountLinks user={user} />
          {/* Opens without scripts, also before they have loaded. Another page closes it. */}
          <details
            key={pathname}
            className="group lg:hidden"
            onKeyDown={closeByEscape}
            onClick={closeByLink}
            onBlur={closeWithoutFocus}
          >
            <summary
              aria-label="Menu"
              title="Menu"
              className="flex size-10 list-none items-center justify-center rounded-card text-muted hover:bg-sunken hover:text-ink [&::-webkit-details-marker]:hidden"
            >
              <Menu aria-hidden="true" className="size-5 group-open:hidden" />
              <X aria-hidden="true" className="hidden size-5 group-open:block" />
            </summary>
            {/* The menu covers the page, so that it does not move the page. */}
            <nav
              aria-label="Site"
              // Takes the focus from a click on its padding, which is not outside.
              tabIndex={-1}
              className="absolute inset-x-0 top-full grid max-h-[calc(100dvh-4rem)] animate-fade-in gap-1 overflow-y-auto border-line border-y bg-surface px-5 py-3 text-16"
            >
              {MENU_PAGES.map((page) => (
                <PageLink key={page.path} page={page} />
              ))}
              {user === null && (
                <Link to="/users/login" className="py-2 sm:hidden">
                  Login
                </Link>
              )}
            </nav>
          </details>
        </div>
      </div>
    </header>
  )
}

function closeByEscape({ key, currentTarget }: KeyboardEvent<HTMLDetailsElement>): void {
  if (key !== 'Escape') return
  currentTarget.open = false
  currentTarget.querySelector('summary')?.focus()
}

/** The menu covers the page, so it closes when the focus moves to the page. */
function closeWithoutFocus({ currentTarget, relatedTarget }: FocusEvent<HTMLDetailsElement>): void {
  if (!currentTarget.contains(relatedTarget)) currentTarget.open = false
}

/** A link to the page that is open does not change the path, but also closes the menu. */
function closeByLink({ target, currentTarget }: MouseEvent<HTMLDetailsElement>): void {
  // The cast is safe because only elements are clicked.
  if ((target as Element).closest('a') !== null) currentTarget.open = false
}

function AccountLinks({ user }: { user: StoredUser | null }) {
  if (user !== null) {
    return (
      <ButtonLink to={getDashboardPath(user.role)} look="primary">
        Dashboard
      </ButtonLink>
    )
  }
  return (
    <>
      <span className="hidden sm:block">
        <ButtonLink to="/users/login" look="quiet">
          Login
        </ButtonLink>
      </span>
      <ButtonLink to="/users/register" look="primary">
        Start Investing
      </ButtonLink>
    </>
  )
}

function PageLink({ page }: { page: PublicPage }) {
  return (
    <NavLink
      to={page.path}
      end={page.path === '/'}
      className={({ isActive }) =>
        joinClasses(
          'rounded-sm py-2 underline-offset-8 hover:text-ink',
          isActive
            ? 'font-medium text-ink underline decoration-2 decoration-accent'
            : 'text-muted hover:underline',
        )
      }
    >
      {getPageLabel(page)}
    </NavLink>
  )
}

function useScrolledPast(px: number): boolean {
  const [isPast, setPast] = useState(false)
  useEffect(() => {
    const updateScrolled = () => setPast(window.scrollY > px)
    updateScrolled()
    window.addEventListener('scroll', updateScrolled, { passive: true })
    return () => window.removeEventListener('scroll', updateScrolled)
  }, [px])
  return isPast
}
