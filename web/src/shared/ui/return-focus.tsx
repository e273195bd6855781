import { useEffect, useState } from 'react'

/**
 * Stands in whatever opens over the page: when that goes, the keyboard is where it was before. Radix
 * does so for triggers of its own only; ours open by the address.
 */
export function ReturnFocus() {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      setTimeout(() => {
        // Whoever has moved the focus on purpose keeps it.
        if (document.activeElement !== document.body) return
        const place = opener?.isConnected === true ? opener : document.getElementById('main')
        if (place instanceof HTMLElement && place !== document.body) place.focus()
      })
    },
    [opener],
  )
  return null
}
