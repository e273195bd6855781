import { buildLoginPath, getDashboardPath, MUST_LOG_IN } from '../shared/session/redirects.ts'
import { getStoredUser } from '../shared/session/stored-user.ts'
import type { PageLocation } from '../shared/url/navigation.tsx'
import { createBareView, loadView, type View } from './page-route.ts'
import { findPublicRoute } from './public-routes.ts'

type Moved = { movedTo: string }

/**
 * Loads the content of a location. Returns a different path instead if the router must open that
 * path.
 */
export async function findView(location: PageLocation): Promise<View | Moved> {
  const { pathname } = location
  if (/^\/manage(\/|$)/i.test(pathname)) return findManageView(location)
  const route = findPublicRoute(pathname)
  return route === null ? loadNotFoundView(location) : loadView(route, location)
}

/**
 * Sends a visitor without a stored user to the login before a page below `/manage` loads. Sends the
 * path `/manage` itself to the user's dashboard.
 */
async function findManageView(location: PageLocation): Promise<View | Moved> {
  const { pathname, search } = location
  const user = getStoredUser()
  if (user === null) return { movedTo: buildLoginPath(MUST_LOG_IN, `${pathname}${search}`) }
  if (/^\/manage\/?$/i.test(pathname)) return { movedTo: getDashboardPath(user.role) }
  const { findManageRoute, findMovedPath } = await import('./manage-routes.ts')
  const movedTo = findMovedPath(pathname)
  if (movedTo !== null) return { movedTo }
  const route = findManageRoute(pathname)
  return route === null ? loadNotFoundView(location) : loadView(route, location)
}

async function loadNotFoundView(location: PageLocation): Promise<View> {
  const { NotFoundPage } = await import('./not-found-page.tsx')
  return createBareView(location, { Page: NotFoundPage })
}
