import type { RouteObject } from 'react-router-dom'

import type { Page } from '../shared/url/page.ts'

/** The route of a page; `usePageTitle` reads the title from the handle. */
export function toRoute({ path, title, load }: Page): RouteObject {
  return { path, handle: { title }, lazy: async () => ({ Component: await load() }) }
}
