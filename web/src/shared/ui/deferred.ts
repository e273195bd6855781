import { useEffect, useState } from 'react'

const WAIT_MS_MAX = 2_000
const FALLBACK_MS = 300

/**
 * Returns true once the browser is idle after the first paint. Heavy components wait for this value
 * before they render.
 */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    // Safari has no `requestIdleCallback`.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(() => setIdle(true), FALLBACK_MS)
      return () => clearTimeout(timer)
    }
    const handle = requestIdleCallback(() => setIdle(true), { timeout: WAIT_MS_MAX })
    return () => cancelIdleCallback(handle)
  }, [])
  return isIdle
}

/** Returns true after `ms` milliseconds, even if the browser is idle earlier. */
export function useHasElapsed(ms: number): boolean {
  const [hasElapsed, setElapsed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return hasElapsed
}
