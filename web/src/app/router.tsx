import { createBrowserRouter, type RouteObject, redirect } from 'react-router-dom'

import { PublicLayout } from '../layouts/public-layout.tsx'
import { MUST_LOG_IN } from '../session/login-messages.ts'
import { dashboardOf, loginPath } from '../session/redirects.ts'
import { getStoredUser } from '../session/stored-user.ts'
import { ErrorPage } from './error-page.tsx'
import { page } from './page-route.ts'
import { RouteLoading } from './route-loading.tsx'

const publicPages: RouteObject[] = [
  {
    index: true,
    lazy: async () => ({
      Component: (await import('../features/site/landing-page.tsx')).LandingPage,
    }),
  },
  page('about_us', () => import('../features/site/about-page.tsx'), 'AboutPage'),
  page('services', () => import('../features/site/services-page.tsx'), 'ServicesPage'),
  page('investment', () => import('../features/site/investment-page.tsx'), 'InvestmentPage'),
  page('contact_us', () => import('../features/site/contact-page.tsx'), 'ContactPage'),
  page('verify', () => import('../features/verify/verify-page.tsx'), 'VerifyPage'),
  page('faqs', () => import('../features/site/faqs-page.tsx'), 'FaqsPage'),
]

const authPages: RouteObject[] = [
  page('login', () => import('../features/session/login-page.tsx'), 'LoginPage'),
  page('register', () => import('../features/registration/register-page.tsx'), 'RegisterPage'),
  page(
    'forgotPassword',
    () => import('../features/passwords/forgot-page.tsx'),
    'ForgotPasswordPage',
  ),
  page('resetPassword', () => import('../features/passwords/reset-page.tsx'), 'ResetPasswordPage'),
]

/** Without a stored user no page of the signed-in area is loaded at all. */
function requireStoredUser({ request }: { request: Request }) {
  const { pathname, search } = new URL(request.url)
  const user = getStoredUser()
  if (user !== null && !/^\/manage\/?$/.test(pathname)) return null
  if (user !== null) throw redirect(dashboardOf(user.role))
  throw redirect(loginPath(MUST_LOG_IN, `${pathname}${search}`))
}

const MANAGE = 'manage'
let isManageKnown = false

const routes: RouteObject[] = [
  {
    ErrorBoundary: ErrorPage,
    HydrateFallback: RouteLoading,
    children: [
      { path: '/', Component: PublicLayout, children: publicPages },
      {
        path: '/users',
        lazy: async () => ({
          Component: (await import('../layouts/auth-layout.tsx')).AuthLayout,
        }),
        children: authPages,
      },
      {
        id: MANAGE,
        path: '/manage',
        loader: requireStoredUser,
        lazy: async () => ({
          Component: (await import('../layouts/manage-layout.tsx')).ManageLayout,
        }),
      },
      page('*', () => import('./not-found-page.tsx'), 'NotFoundPage'),
    ],
  },
]

export const router = createBrowserRouter(routes, {
  patchRoutesOnNavigation: async ({ path, patch }) => {
    if (isManageKnown || !/^\/manage(\/|$)/.test(path)) return
    const { manageRoutes } = await import('./manage-routes.tsx')
    isManageKnown = true
    patch(MANAGE, manageRoutes)
  },
})
