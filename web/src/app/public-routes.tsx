import type { RouteObject } from 'react-router-dom'

import { PublicLayout } from './layouts/public-layout.tsx'
import { createPageRoute } from './page-route.ts'

const publicPages: RouteObject[] = [
  {
    index: true,
    lazy: async () => ({
      Component: (await import('../features/site/landing-page.tsx')).LandingPage,
    }),
  },
  createPageRoute('about_us', () => import('../features/site/about-page.tsx'), 'AboutPage'),
  createPageRoute('services', () => import('../features/site/services-page.tsx'), 'ServicesPage'),
  createPageRoute(
    'investment',
    () => import('../features/site/investment-page.tsx'),
    'InvestmentPage',
  ),
  createPageRoute(
    'contact_us',
    () => import('../features/messages/contact-page.tsx'),
    'ContactPage',
  ),
  createPageRoute('verify', () => import('../features/verify/verify-page.tsx'), 'VerifyPage'),
  createPageRoute('risk', () => import('../features/risk/risk-page.tsx'), 'RiskPage'),
  createPageRoute('status', () => import('../features/status/status-page.tsx'), 'StatusPage'),
  createPageRoute('faqs', () => import('../features/site/faqs-page.tsx'), 'FaqsPage'),
]

const authPages: RouteObject[] = [
  createPageRoute('login', () => import('../features/login/login-page.tsx'), 'LoginPage'),
  createPageRoute(
    'register',
    () => import('../features/registration/register-page.tsx'),
    'RegisterPage',
  ),
  createPageRoute(
    'forgotPassword',
    () => import('../features/passwords/forgot-page.tsx'),
    'ForgotPasswordPage',
  ),
  createPageRoute(
    'resetPassword',
    () => import('../features/passwords/reset-page.tsx'),
    'ResetPasswordPage',
  ),
]

/** Routes that need no login. The browser renders them, and the build prerenders them. */
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
