import type { RouteObject } from 'react-router-dom'

import type { Page } from '../shared/url/page.ts'

/**
 * Converts a page to a route. `usePageTitle` and the layout read its title and its permission from
 * the handle.
 */
export function toRoute({ path, title, load, ...page }: Page): RouteObject {
  const permission = page.access === 'admin' ? page.permission : null
  return { path, handle: { title, permission }, lazy: async () => ({ Component: await load() }) }
}
