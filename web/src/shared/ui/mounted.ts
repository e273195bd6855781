import { useEffect, useRef } from 'react'

/**
 * Returns a function that returns true while the component is shown. An answer that arrives later
 * must not close what the user has opened meanwhile.
 */
export function useIsMounted(): () => boolean {
  const isMounted = useRef(false)
  useEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  return () => isMounted.current
}
