import type { RouteObject } from 'react-router-dom'

import { PublicLayout } from './layouts/public-layout.tsx'
import { page } from './page-route.ts'

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
  page('contact_us', () => import('../features/messages/contact-page.tsx'), 'ContactPage'),
  page('verify', () => import('../features/verify/verify-page.tsx'), 'VerifyPage'),
  page('risk', () => import('../features/risk/risk-page.tsx'), 'RiskPage'),
  page('status', () => import('../features/status/status-page.tsx'), 'StatusPage'),
  page('faqs', () => import('../features/site/faqs-page.tsx'), 'FaqsPage'),
]

const authPages: RouteObject[] = [
  page('login', () => import('../features/login/login-page.tsx'), 'LoginPage'),
  page('register', () => import('../features/registration/register-page.tsx'), 'RegisterPage'),
  page(
    'forgotPassword',
    () => import('../features/passwords/forgot-page.tsx'),
    'ForgotPasswordPage',
  ),
  page('resetPassword', () => import('../features/passwords/reset-page.tsx'), 'ResetPasswordPage'),
]

/** What everybody may see: drawn in the browser, and once when the site is built. */
export const publicRoutes: RouteObject[] = [
  { path: '/', Component: PublicLayout, children: publicPages },
  {
    path: '/users',
    lazy: async () => ({
      Component: (await import('./layouts/auth-layout.tsx')).AuthLayout,
    }),
    children: authPages,
  },
]
