import { useEffect, useState } from 'react'

/**
 * Restores the focus when the dialog that contains it closes. Radix does so only for its own triggers; these
 * dialogs open by URL.
 */
export function ReturnFocus() {
  const [opener] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      setTimeout(() => {
        // Keeps a focus that the user moved on purpose.
        if (document.activeElement !== document.body) return
        const place = opener?.isConnected === true ? opener : document.getElementById('main')
        if (place instanceof HTMLElement && place !== document.body) place.focus()
      })
    },
    [opener],
  )
  return null
}
