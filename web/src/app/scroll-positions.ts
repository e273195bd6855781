import type { PageLocation } from '../shared/url/navigation.tsx'

const KEY = 'cairn.scroll'
/** The maximum number of stored positions. The oldest positions are deleted first. */
const KEPT_MAX = 50

type ScrollPositions = {
  savePosition: (location: PageLocation) => void
  /**
   * Scrolls to the saved position; without one, to the element that the hash names; without a hash,
   * to `otherwise`.
   */
  restore: (location: PageLocation, otherwise: number) => void
}

/** Keeps the scroll position of each entry of the history, even after a reload. */
export function keepScrollPositions(getLocation: () => PageLocation | null): ScrollPositions {
  const positions = new Map(readPositions())
  let stopFollowing = () => {}
  const savePosition = ({ key }: PageLocation) => {
    positions.delete(key)
    positions.set(key, window.scrollY)
  }
  history.scrollRestoration = 'manual'
  window.addEventListener('pageshow', () => {
    history.scrollRestoration = 'manual'
  })
  window.addEventListener('pagehide', () => {
    const location = getLocation()
    if (location !== null) savePosition(location)
    storePositions([...positions].slice(-KEPT_MAX))
    // When the page loads again, the browser restores the position before the script of the page
    // has loaded.
    history.scrollRestoration = 'auto'
  })
  return {
    savePosition,
    restore: ({ key, hash }, otherwise) => {
      const saved = positions.get(key)
      stopFollowing()
      if (saved === undefined && hash !== '') stopFollowing = followTarget(hash.slice(1))
      else window.scrollTo(0, saved ?? otherwise)
    },
  }
}

/**
 * Scrolls to an element, and again whenever content that loads above it has changed the height of
 * the page, until the person acts.
 */
function followTarget(id: string): () => void {
  const heights = new ResizeObserver(() => document.getElementById(id)?.scrollIntoView())
  heights.observe(document.body)
  const stop = () => heights.disconnect()
  for (const act of ['wheel', 'touchmove', 'pointerdown', 'keydown']) {
    window.addEventListener(act, stop, { once: true })
  }
  return stop
}

function readPositions(): readonly (readonly [string, number])[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    if (!Array.isArray(stored)) return []
    return stored.filter(([key, y]) => typeof key === 'string' && typeof y === 'number')
  } catch {
    return []
  }
}

function storePositions(positions: readonly (readonly [string, number])[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(positions))
  } catch {
    // Without storage, a page opens at its top after a reload.
  }
}
