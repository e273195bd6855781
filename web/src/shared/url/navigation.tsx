import type { Permission } from '@cairn/gateway-contracts'
import {
  type ComponentProps,
  createContext,
  type MouseEvent,
  use,
  useCallback,
  useEffect,
  useMemo,
} from 'react'

/** The address of a page. The key is unique for each entry of the browser's history. */
export type PageLocation = { pathname: string; search: string; hash: string; key: string }
type NavigateOptions = {
  /** If true, the new entry replaces the current entry of the history. */
  replace?: boolean
  /** If true, the page keeps its scroll position. By default, the new page opens at its top. */
  preventScrollReset?: boolean
}
/**
 * Opens a page of this site. The promise resolves when this page, or a page that the user opened
 * afterwards, is shown.
 */
export type Navigate = (to: string, options?: NavigateOptions) => Promise<void>

/** The permission is null if the page needs no permission. */
export type CurrentPage = { title: string; permission: Permission | null }

type Navigation = {
  location: PageLocation
  /** The values of the parts of the path that begin with a colon. */
  params: Readonly<Record<string, string>>
  page: CurrentPage
  navigate: Navigate
}

export const NavigationContext = createContext<Navigation | null>(null)

function useNavigation(): Navigation {
  const navigation = use(NavigationContext)
  if (navigation === null) throw new Error('this component is outside of the router')
  return navigation
}

export function useLocation(): PageLocation {
  return useNavigation().location
}

export function useParams(): Readonly<Record<string, string | undefined>> {
  return useNavigation().params
}

/** Returns the title of the page that is shown, and the permission that this page requires. */
export function useCurrentPage(): CurrentPage {
  return useNavigation().page
}

export function useNavigate(): Navigate {
  return useNavigation().navigate
}

type SetSearch = (
  next: string | ((search: URLSearchParams) => URLSearchParams),
  options?: NavigateOptions,
) => void

export function useSearchParams(): [URLSearchParams, SetSearch] {
  const { location, navigate } = useNavigation()
  const search = useMemo(() => new URLSearchParams(location.search), [location.search])
  const setSearch = useCallback<SetSearch>(
    (next, options) => {
      // The page shows a new address only after a moment. A change in this moment must not undo the
      // change before it.
      const current = new URLSearchParams(window.location.search)
      const changed = typeof next === 'string' ? new URLSearchParams(next) : next(current)
      void navigate(`?${changed}`, options)
    },
    [navigate],
  )
  return [search, setSearch]
}

/**
 * Converts a link on the page `from` to a path of this site. The path begins with exactly one
 * slash, because browsers read two slashes as the start of a host name.
 */
export function resolvePath(to: string, { pathname, search }: Omit<PageLocation, 'key'>): string {
  const url = new URL(to, `http://here.invalid${pathname}${search}`)
  return `${url.pathname.replace(/^\/+/, '/')}${url.search}${url.hash}`
}

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & { to: string }

/** A link that opens a page of this site without loading a new document. */
export function Link({ to, onClick, ...rest }: LinkProps) {
  const { location, navigate } = useNavigation()
  const href = resolvePath(to, location)
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || !isPlainClick(event)) return
    event.preventDefault()
    void navigate(href, { replace: href === resolvePath(location.hash, location) })
  }
  return <a {...rest} href={href} onClick={open} />
}

/** Tells whether the click opens the link in this tab, and not in a new tab or window. */
function isPlainClick(event: MouseEvent): boolean {
  const hasKey = event.metaKey || event.altKey || event.ctrlKey || event.shiftKey
  return event.button === 0 && !hasKey
}

type NavLinkProps = Omit<LinkProps, 'className'> & {
  /**
   * If true, the link is marked only on the page to which it leads, not on the pages below that
   * page.
   */
  end?: boolean
  className: (state: { isActive: boolean }) => string
}

/** Tells whether the path is shown, or a page below it. */
export function isPathOrBelow(path: string, shown: string): boolean {
  return shown === path || shown.startsWith(`${path}/`)
}

/** A link of a menu. The link is marked if its page is shown. */
export function NavLink({ to, end = false, className, ...rest }: NavLinkProps) {
  const { pathname } = useLocation()
  const isActive = end ? pathname === to : isPathOrBelow(to, pathname)
  return (
    <Link
      {...rest}
      to={to}
      aria-current={isActive ? 'page' : undefined}
      className={className({ isActive })}
    />
  )
}

/** Opens a page in place of the current page. */
export function Redirect({ to }: { to: string }) {
  const navigate = useNavigate()
  useEffect(() => void navigate(to, { replace: true }), [navigate, to])
  return null
}
