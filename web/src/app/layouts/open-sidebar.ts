import { useEffect, useState } from 'react'
import { useSingleColumn } from '../../shared/ui/narrow-screen.ts'

/**
 * Returns whether the open sidebar covers the page, with the functions that open and close the
 * sidebar. On wide screens the sidebar never covers the page. A change of the path or the Escape
 * key closes the sidebar.
 */
export function useOpenSidebar(pathname: string) {
  // The path on which the sidebar was opened.
  const [openOn, setOpenOn] = useState<string | null>(null)
  // Without this reset, Back to that path would open the sidebar again.
  if (openOn !== null && openOn !== pathname) setOpenOn(null)
  const isCovering = useSingleColumn()
  const isOpen = isCovering && openOn === pathname
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
