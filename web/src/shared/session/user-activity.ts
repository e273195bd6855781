const HERE_MS = 60_000
const SIGNS = ['pointerdown', 'keydown', 'wheel', 'touchmove'] as const

/** Whoever has just opened the page is there. */
let seenAtMs = Date.now()

/** Whether somebody used this page within the last minute; while nobody watches, somebody did. */
export function isUserActive(): boolean {
  return !isWatched || Date.now() - seenAtMs < HERE_MS
}

let isWatched = false

/** Follows the signs of life for as long as a page of somebody who is signed in is open. */
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
