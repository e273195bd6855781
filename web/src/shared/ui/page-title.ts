import { useEffect } from 'react'
import { useCurrentPage } from '../url/navigation.tsx'

const SITE = 'Cairn'

/**
 * Sets the document's title to `title`, or by default to the title of the page. Returns the title.
 */
export function usePageTitle(title?: string): string {
  const page = useCurrentPage()
  const shown = title ?? page.title
  useEffect(() => {
    document.title = shown === SITE ? SITE : `${shown} · ${SITE}`
  }, [shown])
  return shown
}
