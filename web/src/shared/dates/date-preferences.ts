import { isLanguage, isTimeZone } from '@cairn/gateway-contracts'
import { useSyncExternalStore } from 'react'
import { DATES_KEY } from './sentence-date.ts'

/**
 * The date preferences of the user. If a preference is null, the default of the site or of the
 * browser applies.
 */
export type DatePreferences = { language: string | null; timeZone: string | null }

const NO_PREFERENCES: DatePreferences = { language: null, timeZone: null }
const listeners = new Set<() => void>()
let current = readStoredPreferences()

/**
 * Applies the date preferences of the account to this page and stores a copy in the browser. At the
 * next visit, the copy applies until the account has loaded.
 */
export function setDatePreferences(chosen: DatePreferences): void {
  const { language, timeZone } = dropUnsupportedPreferences(chosen)
  if (language === current.language && timeZone === current.timeZone) return
  current = { language, timeZone }
  try {
    localStorage.setItem(DATES_KEY, JSON.stringify(current))
  } catch {
    // Without storage, the choice applies until the page is closed.
  }
  for (const listener of listeners) listener()
}

export function getDatePreferences(): DatePreferences {
  return current
}

export function useDatePreferences(): DatePreferences {
  return useSyncExternalStore(subscribe, getDatePreferences, () => NO_PREFERENCES)
}

export function getTimeZone({ timeZone }: DatePreferences): string {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  return timeZone ?? (isTimeZone(own) ? own : 'UTC')
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function readStoredPreferences(): DatePreferences {
  try {
    const stored: unknown = JSON.parse(window.localStorage.getItem(DATES_KEY) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return NO_PREFERENCES
    const { language, timeZone } = stored as Record<string, unknown>
    return dropUnsupportedPreferences({ language, timeZone })
  } catch {
    return NO_PREFERENCES
  }
}

/** Removes time zones and languages that this browser does not know. */
function dropUnsupportedPreferences({
  language,
  timeZone,
}: Record<keyof DatePreferences, unknown>): DatePreferences {
  return {
    language: typeof language === 'string' && isLanguage(language) ? language : null,
    timeZone: typeof timeZone === 'string' && isTimeZone(timeZone) ? timeZone : null,
  }
}
