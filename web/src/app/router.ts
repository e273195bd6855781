import { type Navigate, type PageLocation, resolvePath } from '../shared/url/navigation.tsx'
import { findView } from './find-view.ts'
import { createBareView, type View } from './page-route.ts'
import { keepScrollPositions } from './scroll-positions.ts'

/**
 * The way in which a page is opened. `back` means that the browser has already changed its address.
 */
type Opening = { by: 'push' | 'replace' | 'back'; isScrollKept: boolean }

export type ShownView = View & {
  /**
   * Scrolls to the position at which the page opens; null if the page keeps its scroll position.
   */
  restoreScroll: (() => void) | null
}

export type Router = {
  /** Returns the page that is shown; null until the first page has loaded. */
  getView: () => ShownView | null
  subscribe: (listener: () => void) => () => void
  navigate: Navigate
  /** A promise that resolves when the first page has loaded. */
  ready: Promise<void>
}

/**
 * Creates the router, which starts to load the current page at once. The open page stays until the
 * next page has loaded. If the user opens a third page in the meantime, the second page is not
 * shown.
 */
export function createRouter(): Router {
  const listeners = new Set<() => void>()
  let view: ShownView | null = null
  let lastVisit = 0
  const scroll = keepScrollPositions(() => view?.location ?? null)

  const showView = (next: View, { by, isScrollKept }: Opening) => {
    if (view !== null) scroll.savePosition(view.location)
    writeHistory(next.location, by)
    // The first page keeps its scroll position, because people can scroll the prerendered page
    // before its script has loaded.
    const top = view === null ? window.scrollY : 0
    const restoreScroll = isScrollKept ? null : () => scroll.restore(next.location, top)
    view = { ...next, restoreScroll }
    for (const listener of listeners) listener()
  }
  const open = async (location: PageLocation, opening: Opening): Promise<void> => {
    lastVisit += 1
    const visit = lastVisit
    if (view !== null && 'Page' in view.content && view.location.pathname === location.pathname) {
      showView({ ...view, location }, opening)
      return
    }
    const next = await findView(location).catch((error) => createBareView(location, { error }))
    if (visit !== lastVisit) return
    if (!('movedTo' in next)) showView(next, opening)
    else await navigate(next.movedTo, { replace: opening.by !== 'push' })
  }
  const navigate: Navigate = (to, { replace = false, preventScrollReset = false } = {}) => {
    const path = resolvePath(to, view?.location ?? window.location)
    return open(
      { ...splitPath(path), key: createKey() },
      { by: replace ? 'replace' : 'push', isScrollKept: preventScrollReset },
    )
  }
  window.addEventListener('popstate', ({ state }) => {
    // A history entry without a state comes from a link to a part of the page. The browser itself
    // scrolls to this part.
    void open(readLocation(), { by: 'back', isScrollKept: state === null })
  })
  return {
    getView: () => view,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    navigate,
    ready: open(readLocation(), { by: 'back', isScrollKept: false }),
  }
}

/** Reads the current address. If the current history entry has no key yet, gives it a key. */
function readLocation(): PageLocation {
  const { pathname, search, hash } = window.location
  const state: unknown = history.state
  if (typeof state === 'object' && state !== null && 'key' in state) {
    return { pathname, search, hash, key: String(state.key) }
  }
  const location = { pathname, search, hash, key: createKey() }
  writeHistory(location, 'replace')
  return location
}

function writeHistory({ pathname, search, hash, key }: PageLocation, by: Opening['by']): void {
  const address = `${window.location.origin}${pathname}${search}${hash}`
  if (by === 'push') history.pushState({ key }, '', address)
  if (by === 'replace') history.replaceState({ key }, '', address)
}

function splitPath(path: string): Omit<PageLocation, 'key'> {
  const { pathname, search, hash } = new URL(path, window.location.origin)
  return { pathname, search, hash }
}

function createKey(): string {
  return Math.random().toString(36).slice(2, 10)
}
