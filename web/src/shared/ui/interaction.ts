import { useEffect, useState } from 'react'

const INTERACTIONS = ['pointerover', 'pointerdown', 'keydown'] as const

/** Returns true once the user has pressed a key or pointed at something on this page. */
export function useHasInteracted(): boolean {
  const [hasInteracted, setInteracted] = useState(false)
  useEffect(() => {
    if (hasInteracted) return
    const remember = () => setInteracted(true)
    for (const type of INTERACTIONS) addEventListener(type, remember, { passive: true })
    return () => {
      for (const type of INTERACTIONS) removeEventListener(type, remember)
    }
  }, [hasInteracted])
  return hasInteracted
}
