import { type RouteObject, redirect } from 'react-router-dom'

import { ErrorPage } from './error-page.tsx'
import { managePages } from './manage-pages.ts'
import { toRoute } from './page-route.ts'

/**
 * All routes below `/manage`. They are a separate chunk, which visitors without a login do not
 * download.
 */
export const manageRoutes: RouteObject[] = [
  {
    ErrorBoundary: ErrorPage,
    children: [
      ...managePages.map(toRoute),
      {
        path: '/manage/investor/statements',
        loader: () => redirect('/manage/investor/settings?tab=statements'),
      },
    ],
  },
]
