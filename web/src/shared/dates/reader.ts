import { isLanguage, isTimeZone } from '@cairn/gateway-contracts'
import { useSyncExternalStore } from 'react'

/** How somebody wants dates to be written; null is what the site and the browser do by themselves. */
export type Reader = { language: string | null; timeZone: string | null }

const KEY = 'cairn.dates'
const NOBODY: Reader = { language: null, timeZone: null }
const listeners = new Set<() => void>()
let current = read()

/** Kept with the account; the browser's copy is there before the account has answered. */
export function setReader(chosen: Reader): void {
  const { language, timeZone } = dropUnsupported(chosen)
  if (language === current.language && timeZone === current.timeZone) return
  current = { language, timeZone }
  try {
    localStorage.setItem(KEY, JSON.stringify(current))
  } catch {
    // The choice still holds until the page is left.
  }
  for (const listener of listeners) listener()
}

export function getReader(): Reader {
  return current
}

export function useReader(): Reader {
  return useSyncExternalStore(subscribe, getReader, () => NOBODY)
}

export function zoneOf({ timeZone }: Reader): string {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return timeZone ?? (isTimeZone(own) ? own : 'UTC')
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function read(): Reader {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return NOBODY
    const { language, timeZone } = stored as Record<string, unknown>
    return dropUnsupported({ language, timeZone })
  } catch {
    return NOBODY
  }
}

/** A browser that is older than a zone goes on with its own. */
function dropUnsupported({ language, timeZone }: Record<keyof Reader, unknown>): Reader {
  return {
    language: typeof language === 'string' && isLanguage(language) ? language : null,
    timeZone: typeof timeZone === 'string' && isTimeZone(timeZone) ? timeZone : null,
  }
}
