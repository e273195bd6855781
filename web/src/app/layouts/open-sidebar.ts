import { useEffect, useState, useSyncExternalStore } from 'react'

/** The width below which the sidebar covers the page. It equals the breakpoint `lg`. */
const narrow = window.matchMedia('(max-width: 1023px)')

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/**
 * Returns whether the sidebar covers the page, which happens on narrow screens only. A change of
 * path and the Escape key close it.
 */
export function useOpenSidebar(pathname: string) {
  // The path on which the sidebar was opened.
  const [openOn, setOpenOn] = useState<string | null>(null)
  const isNarrow = useSyncExternalStore(subscribe, () => narrow.matches)
  const isOpen = isNarrow && openOn === pathname
  useEffect(() => {
    if (!isOpen) return
    const handleKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setOpenOn(null)
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [isOpen])
  return { isOpen, open: () => setOpenOn(pathname), close: () => setOpenOn(null) }
}
