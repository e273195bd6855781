import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'

/** After a change of page the keyboard and the screen reader start at the new content, not at the old link. */
export function useRouteFocus(): void {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
}
