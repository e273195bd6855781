import { PublicLayout } from './layouts/public-layout.tsx'
import { findPage, type Route } from './page-route.ts'
import { authPages, sitePages } from './public-pages.ts'

/** Finds a page that needs no login. The browser renders these pages, and the build prerenders them. */
export function findPublicRoute(pathname: string): Route | null {
  const onSite = findPage(sitePages, pathname)
  if (onSite !== null) return { ...onSite, loadLayout: async () => PublicLayout }
  const found = findPage(authPages, pathname)
  if (found === null) return null
  return {
    ...found,
    loadLayout: async () => (await import('./layouts/auth-layout.tsx')).AuthLayout,
  }
}
