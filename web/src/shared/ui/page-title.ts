import { useEffect } from 'react'
import { useMatches } from 'react-router-dom'

const SITE = 'Cairn'

/**
 * Sets the document's title to `title`, or by default to the title of the page. Returns the title.
 */
export function usePageTitle(title?: string): string {
  // `toRoute` sets the handle of each page.
  const page = useMatches().at(-1)?.handle as { title: string } | undefined
  const shown = title ?? page?.title ?? SITE
  useEffect(() => {
    document.title = shown === SITE ? SITE : `${shown} · ${SITE}`
  }, [shown])
  return shown
}
