const ACTIVE_MS = 60_000
const ACTIVITY_EVENTS = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const

/** The time of the last activity. Opening the page counts as activity. */
let activeAtMs = Date.now()

/**
 * Tells whether the user was active within the last minute. Returns true while activity is not
 * watched.
 */
export function isUserActive(): boolean {
  return !isWatched || Date.now() - activeAtMs < ACTIVE_MS
}

let isWatched = false

/**
 * Watches input events while a page of a logged-in user is open. Returns a function that ends the
 * watching.
 */
export function watchUserActivity(): () => void {
  const recordActivity = () => {
    activeAtMs = Date.now()
  }
  recordActivity()
  isWatched = true
  const options = { capture: true, passive: true } as const
  for (const type of ACTIVITY_EVENTS) window.addEventListener(type, recordActivity, options)
  return () => {
    isWatched = false
    for (const type of ACTIVITY_EVENTS) window.removeEventListener(type, recordActivity, options)
  }
}
