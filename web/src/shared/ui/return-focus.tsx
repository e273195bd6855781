import { useEffect, useState } from 'react'

/**
 * Restores the focus when the dialog that contains this component closes. Radix restores the focus
 * only to a trigger, and a dialog that opens by URL has none.
 */
export function ReturnFocus() {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      setTimeout(() => {
        // If the user has moved the focus to an element outside of the dialog, the focus stays
        // there.
        if (document.activeElement !== document.body) return
        const place = opener?.isConnected === true ? opener : document.getElementById('main')
        if (!(place instanceof HTMLElement) || place === document.body) return
        // A page that the dialog has opened stays at its top.
        place.focus({ preventScroll: place !== opener })
      })
    },
    [opener],
  )
  return null
}
