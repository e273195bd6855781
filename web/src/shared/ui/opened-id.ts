import { useEffect, useRef } from 'react'

/**
 * Holds the id of what is open now, for an answer that arrives later: it must not close what the user
 * has opened meanwhile. Null if nothing is open.
 */
export function useOpenedId(id: string | null): { readonly current: string | null } {
  const opened = useRef(id)
  useEffect(() => {
    opened.current = id
    return () => {
      opened.current = null
    }
  }, [id])
  return opened
}
