import { createBrowserRouter, type RouteObject, redirect } from 'react-router-dom'

import { buildLoginPath, getDashboardPath, MUST_LOG_IN } from '../shared/session/redirects.ts'
import { getStoredUser } from '../shared/session/stored-user.ts'
import { ErrorPage } from './error-page.tsx'
import { publicRoutes } from './public-routes.ts'
import { RouteLoading } from './route-loading.tsx'

/**
 * Redirects a visitor without a stored user to the login before a page below `/manage` loads.
 * Redirects `/manage` itself to the user's dashboard.
 */
function requireStoredUser({ request }: { request: Request }) {
  const { pathname, search } = new URL(request.url)
  const user = getStoredUser()
  if (user !== null && !/^\/manage\/?$/.test(pathname)) return null
  if (user !== null) throw redirect(getDashboardPath(user.role))
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
      {
        path: '*',
        lazy: async () => ({ Component: (await import('./not-found-page.tsx')).NotFoundPage }),
      },
    ],
  },
]

/** Creates the router, which starts to load the current page at once. */
export function createRouter() {
  return createBrowserRouter(routes, {
    patchRoutesOnNavigation: async ({ path, patch }) => {
      if (isManageKnown || !/^\/manage(\/|$)/.test(path)) return
      const { manageRoutes } = await import('./manage-routes.ts')
      isManageKnown = true
      patch(MANAGE, manageRoutes)
    },
  })
}
