import type { RouteObject } from 'react-router-dom'

import { PublicLayout } from './layouts/public-layout.tsx'
import { toRoute } from './page-route.ts'
import { authPages, sitePages } from './public-pages.ts'

/** Routes that need no login. The browser renders them, and the build prerenders them. */
export const publicRoutes: RouteObject[] = [
  { Component: PublicLayout, children: sitePages.map(toRoute) },
  {
    lazy: async () => ({
      Component: (await import('./layouts/auth-layout.tsx')).AuthLayout,
    }),
    children: authPages.map(toRoute),
  },
]
