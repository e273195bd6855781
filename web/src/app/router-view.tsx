import {
  type ReactNode,
  startTransition,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from 'react'

import { restoreSite, useSite } from '../shared/site/site.ts'
import { type Navigate, NavigationContext } from '../shared/url/navigation.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import type { View } from './page-route.ts'
import { RouteLoading } from './route-loading.tsx'
import type { Router } from './router.ts'

/** Shows the current page of the router, and each page that it opens later. */
export function RouterView({ router }: { router: Router }) {
  const [view, setView] = useState(router.getView)
  useEffect(() => {
    const follow = () => startTransition(() => setView(router.getView()))
    const stop = router.subscribe(follow)
    // The router may have opened another page between the first rendering and this effect.
    follow()
    return stop
  }, [router])
  useLayoutEffect(restoreSite, [])
  // Amounts are formatted while rendering, so a change of the currency renders the page again.
  useSite()
  useLayoutEffect(() => view?.restoreScroll?.(), [view])
  if (view === null) return <RouteLoading />
  return <PageView view={view} navigate={router.navigate} />
}

/** Shows one page in its layout. */
export function PageView({ view, navigate }: { view: View; navigate: Navigate }) {
  const { location, params, page, Layout, content } = view
  const navigation = useMemo(
    () => ({ location, params, page, navigate }),
    [location, params, page, navigate],
  )
  const shown = <Content content={content} />
  return (
    <NavigationContext value={navigation}>
      <ErrorBoundary>{Layout === null ? shown : <Layout>{shown}</Layout>}</ErrorBoundary>
    </NavigationContext>
  )
}

function Content({ content }: { content: View['content'] }): ReactNode {
  if ('error' in content) throw content.error
  return <content.Page />
}
