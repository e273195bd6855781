import { useEffect, useState } from 'react'

const WAIT_MS_MAX = 2_000
const FALLBACK_MS = 300

/** True once the page has drawn what matters first; what is heavy comes then. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false)
  useEffect(() => {
    // Safari has no idle callback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(() => setIdle(true), FALLBACK_MS)
      return () => clearTimeout(timer)
    }
    const handle = requestIdleCallback(() => setIdle(true), { timeout: WAIT_MS_MAX })
    return () => cancelIdleCallback(handle)
  }, [])
  return isIdle
}

/** True after so long: for what nobody needs with the first look, however idle the page is. */
export function useLater(ms: number): boolean {
  const [isLater, setLater] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLater(true), ms)
    return () => clearTimeout(timer)
  }, [ms])
  return isLater
}
