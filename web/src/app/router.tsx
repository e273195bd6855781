import { createBrowserRouter, type RouteObject, redirect } from 'react-router-dom'

import { buildLoginPath, dashboardOf, MUST_LOG_IN } from '../shared/session/redirects.ts'
import { getStoredUser } from '../shared/session/stored-user.ts'
import { ErrorPage } from './error-page.tsx'
import { createPageRoute } from './page-route.ts'
import { publicRoutes } from './public-routes.tsx'
import { RouteLoading } from './route-loading.tsx'

/** Without a stored user no page of the signed-in area is loaded at all. */
function requireStoredUser({ request }: { request: Request }) {
  const { pathname, search } = new URL(request.url)
  const user = getStoredUser()
  if (user !== null && !/^\/manage\/?$/.test(pathname)) return null
  if (user !== null) throw redirect(dashboardOf(user.role))
  throw redirect(buildLoginPath(MUST_LOG_IN, `${pathname}${search}`))
}

const MANAGE = 'manage'
let isManageKnown = false

const routes: RouteObject[] = [
  {
    ErrorBoundary: ErrorPage,
    HydrateFallback: RouteLoading,
    children: [
      ...publicRoutes,
      {
        id: MANAGE,
        path: '/manage',
        loader: requireStoredUser,
        lazy: async () => ({
          Component: (await import('./layouts/manage-layout.tsx')).ManageLayout,
        }),
      },
      createPageRoute('*', () => import('./not-found-page.tsx'), 'NotFoundPage'),
    ],
  },
]

/** Begins to load the page of the address at once. */
export function createRouter() {
  return createBrowserRouter(routes, {
    patchRoutesOnNavigation: async ({ path, patch }) => {
      if (isManageKnown || !/^\/manage(\/|$)/.test(path)) return
      const { manageRoutes } = await import('./manage-routes.tsx')
      isManageKnown = true
      patch(MANAGE, manageRoutes)
    },
  })
}
