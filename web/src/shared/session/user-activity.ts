const HERE_MS = 60_000
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const

/** Opening the page counts as activity. */
let seenAtMs = Date.now()

/** Tells whether the user was active within the last minute; true while activity is not watched. */
export function isUserActive(): boolean {
  return !isWatched || Date.now() - seenAtMs < HERE_MS
}

let isWatched = false

/** Watches input events while a page of a logged-in user is open. Returns a function that stops it. */
export function watchUserActivity(): () => void {
  const see = () => {
    seenAtMs = Date.now()
  }
  see()
  isWatched = true
  const options = { capture: true, passive: true } as const
  for (const sign of SIGNS) window.addEventListener(sign, see, options)
  return () => {
    isWatched = false
    for (const sign of SIGNS) window.removeEventListener(sign, see, options)
  }
}
