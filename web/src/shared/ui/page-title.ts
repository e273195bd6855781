import { useEffect } from 'react'
import { useSite } from '../site/site.ts'
import { useCurrentPage } from '../url/navigation.tsx'

/**
 * Sets the document's title and returns it. Without `title`, uses the title of the page. If `title`
 * is null, uses the name of the site alone.
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
