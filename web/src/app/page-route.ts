import type { RouteObject } from 'react-router-dom'

import type { Page } from '../shared/url/page.ts'

/** The route of a page; `usePageTitle` and the layout read title and permission from the handle. */
export function toRoute({ path, title, load, ...page }: Page): RouteObject {
  const permission = page.access === 'admin' ? page.permission : null
  return { path, handle: { title, permission }, lazy: async () => ({ Component: await load() }) }
}
