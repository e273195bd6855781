import { useSyncExternalStore } from 'react'

const narrow = window.matchMedia('(max-width: 767px)')

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** Returns true if the screen is too narrow for a table of five columns. */
export function useNarrowScreen(): boolean {
  return useSyncExternalStore(subscribe, () => narrow.matches)
}
