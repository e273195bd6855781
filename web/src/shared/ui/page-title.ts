import { useEffect } from 'react'
import { useSite } from '../site/site.ts'
import { useCurrentPage } from '../url/navigation.tsx'

/**
 * Sets the document's title to `title`, or by default to the title of the page. Null sets
 * the name of the site alone. Returns the title.
 */
export function usePageTitle(title?: string | null): string {
  const page = useCurrentPage()
  const { name } = useSite()
  const shown = title === undefined ? page.title : title
  useEffect(() => {
    document.title = shown === null ? name : `${shown} · ${name}`
  }, [shown, name])
  return shown ?? name
}
