import { useSyncExternalStore } from 'react'

/** Creates a hook that returns whether the window matches the media query. */
export function createMediaQueryHook(query: string): () => boolean {
  const list = window.matchMedia(query)
  const subscribe = (listener: () => void) => {
    list.addEventListener('change', listener)
    return () => list.removeEventListener('change', listener)
  }
  return () => useSyncExternalStore(subscribe, () => list.matches)
}
