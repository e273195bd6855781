import { useSyncExternalStore } from 'react'

let isEnded = false
const listeners = new Set<() => void>()

/** Sets whether the session has ended while its page is still open. */
export function setSessionEnded(hasEnded: boolean): void {
  if (isEnded === hasEnded) return
  isEnded = hasEnded
  for (const listener of listeners) listener()
}

export function hasSessionEnded(): boolean {
  return isEnded
}

export function useSessionEnded(): boolean {
  return useSyncExternalStore(subscribe, hasSessionEnded)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
