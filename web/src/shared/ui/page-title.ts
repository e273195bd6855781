import { useEffect } from 'react'
import { useMatches } from 'react-router-dom'

const SITE = 'Cairn'

/** Sets the title of the document to that of the page, or to `title` where it depends on what is shown. */
export function usePageTitle(title?: string): string {
  // `toRoute` sets the handle of each page.
  const page = useMatches().at(-1)?.handle as { title: string } | undefined
  const shown = title ?? page?.title ?? SITE
  useEffect(() => {
    document.title = shown === SITE ? SITE : `${shown} · ${SITE}`
  }, [shown])
  return shown
}
