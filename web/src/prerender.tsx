import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import { loadView } from './app/page-route.ts'
import { authPages, sitePages } from './app/public-pages.ts'
import { findPublicRoute } from './app/public-routes.ts'
import { PageView } from './app/router-view.tsx'

/** The path of each page that the build renders, and the way in which the build renders it. */
export const prerenderedPages = [...sitePages, ...authPages].flatMap(({ path, prerender }) =>
  prerender === undefined ? [] : [{ path, prerender }],
)

/** Renders a public page in its first state: logged out, and before any answer of the API. */
export async function renderPage(path: string): Promise<string> {
  const route = findPublicRoute(path)
  if (route === null) throw new Error(`no page has the path ${path}`)
  const view = await loadView(route, { pathname: path, search: '', hash: '', key: 'default' })
  if ('error' in view.content) throw view.content.error
  const queryClient = new QueryClient()
  const html = renderToString(
    <QueryClientProvider client={queryClient}>
      <PageView view={view} navigate={refuseNavigation} />
    </QueryClientProvider>,
  )
  // A query whose answer is kept for a day has a timer. Without this call, the timer would keep the
  // build running for a day.
  queryClient.clear()
  return html
}

function refuseNavigation(to: string): Promise<void> {
  throw new Error(`a page opened ${to} while the build rendered it`)
}
