import { useEffect, useState } from 'react'

/**
 * Restores the focus when the dialog that contains this component closes. Radix does not restore
 * the focus, because such a dialog opens by URL and has no trigger.
 */
export function ReturnFocus() {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      setTimeout(() => {
        // If the user has moved the focus to another element, the focus stays there.
        if (document.activeElement !== document.body) return
        const place = opener?.isConnected === true ? opener : document.getElementById('main')
        if (place instanceof HTMLElement && place !== document.body) place.focus()
      })
    },
    [opener],
  )
  return null
}
