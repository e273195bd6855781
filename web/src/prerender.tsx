import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom'

import { authPages, sitePages } from './app/public-pages.ts'
import { publicRoutes } from './app/public-routes.ts'

/** The pages that the build renders, each with the way in which it is used. */
export const prerenderedPages = [...sitePages, ...authPages].flatMap(({ path, prerender }) =>
  prerender === undefined ? [] : [{ path, prerender }],
)

/** Renders a public page in its first state: logged out, and before any answer of the API. */
export async function renderPage(path: string): Promise<string> {
  const { query, dataRoutes } = createStaticHandler(publicRoutes)
  const context = await query(new Request(new URL(path, 'http://localhost')))
  if (context instanceof Response) throw new Error(`${path} leads elsewhere`)
  const router = createStaticRouter(dataRoutes, context)
  const queryClient = new QueryClient()
  const html = renderToString(
    <QueryClientProvider client={queryClient}>
      <StaticRouterProvider router={router} context={context} hydrate={false} />
    </QueryClientProvider>,
  )
  // A query that is kept for a day has a timer, which would keep the build running for a day.
  queryClient.clear()
  return html
}
