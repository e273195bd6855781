import { useSyncExternalStore } from 'react'

const narrow = window.matchMedia('(max-width: 767px)')

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** True where a table of five columns has no room. */
export function useNarrowScreen(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches)
}
