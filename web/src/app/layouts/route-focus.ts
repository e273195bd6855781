import { useEffect, useRef } from 'react'
import { useLocation } from '../../shared/url/navigation.tsx'

/** Moves the focus to the new content after a navigation, for keyboard and screen-reader users. */
export function useRouteFocus(): void {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    document.getElementById('main')?.focus({ preventScroll: true })
  }, [pathname])
}
