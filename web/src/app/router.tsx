import { createBrowserRouter, type RouteObject, redirect } from 'react-router-dom'

import { PublicLayout } from '../layouts/public-layout.tsx'
import { MUST_LOG_IN } from '../session/login-messages.ts'
import { dashboardOf, loginPath } from '../session/redirects.ts'
import { getStoredUser } from '../session/stored-user.ts'
import { ErrorPage } from './error-page.tsx'
import { RouteLoading } from './route-loading.tsx'

/** Each page is its own chunk, named by the export that renders it. */
function page<Name extends string>(
  path: string,
  load: () => Promise<Record<Name, React.ComponentType>>,
  name: Name,
): RouteObject {
  return { path, lazy: async () => ({ Component: (await load())[name] }) }
}

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

const investorPages: RouteObject[] = [
  page('dashboard', () => import('../features/dashboard/investor-page.tsx'), 'InvestorDashboard'),
  page('investments', () => import('../features/investments/mine-page.tsx'), 'MyInvestmentsPage'),
  page(
    'transactions',
    () => import('../features/transactions/mine-page.tsx'),
    'MyTransactionsPage',
  ),
  page('deposit', () => import('../features/deposits/deposit-page.tsx'), 'DepositPage'),
  page('withdrawal', () => import('../features/withdrawals/withdrawal-page.tsx'), 'WithdrawalPage'),
  page('referrals', () => import('../features/referrals/my-page.tsx'), 'MyReferralsPage'),
  page(
    'notifications',
    () => import('../features/notifications/notifications-page.tsx'),
    'NotificationsPage',
  ),
  page('settings', () => import('../features/settings/investor-page.tsx'), 'InvestorSettingsPage'),
  {
    path: 'statements',
    loader: () => redirect('/manage/investor/settings?tab=statements'),
  },
]

const adminPages: RouteObject[] = [
  page('dashboard', () => import('../features/dashboard/admin-page.tsx'), 'AdminDashboard'),
  page('transactions', () => import('../features/transactions/admin-page.tsx'), 'TransactionsPage'),
  page('users', () => import('../features/users/users-page.tsx'), 'UsersPage'),
  page('investments', () => import('../features/investments/admin-page.tsx'), 'InvestmentsPage'),
  page('plans', () => import('../features/plans/admin-page.tsx'), 'PlansPage'),
  page(
    'payment_options',
    () => import('../features/payment-options/admin-page.tsx'),
    'PaymentOptionsPage',
  ),
  page(
    'notifications',
    () => import('../features/notifications/notifications-page.tsx'),
    'NotificationsPage',
  ),
  page('account', () => import('../features/settings/investor-page.tsx'), 'AdminAccountPage'),
  page('settings', () => import('../features/settings/admin-page.tsx'), 'AdminSettingsPage'),
  page('users/:id', () => import('../features/users/user-page.tsx'), 'UserPage'),
  page('faq', () => import('../features/faqs/admin-page.tsx'), 'FaqAdminPage'),
  page('approvals', () => import('../features/approvals/approvals-page.tsx'), 'ApprovalsPage'),
  page('messages', () => import('../features/messages/messages-page.tsx'), 'MessagesPage'),
  page('referrals', () => import('../features/referrals/admin-page.tsx'), 'ReferrersPage'),
  page('ledger', () => import('../features/ledger/log-page.tsx'), 'LogPage'),
  page('ledger/:seq', () => import('../features/ledger/event-page.tsx'), 'LogEventPage'),
  page('accounts', () => import('../features/ledger/accounts-page.tsx'), 'AccountsPage'),
  page('accounts/:account', () => import('../features/ledger/account-page.tsx'), 'AccountPage'),
  page('checkpoints', () => import('../features/ledger/checkpoints-page.tsx'), 'CheckpointsPage'),
  page('audit', () => import('../features/audit/audit-page.tsx'), 'AuditPage'),
  page('claims', () => import('../features/claims/claims-page.tsx'), 'ClaimsPage'),
  page('reserve', () => import('../features/reserve/reserve-page.tsx'), 'ReservePage'),
]

/** Without a stored user nothing of the signed-in area is loaded at all. */
function requireStoredUser({ request }: { request: Request }) {
  if (getStoredUser() !== null) return null
  const { pathname, search } = new URL(request.url)
  throw redirect(loginPath(MUST_LOG_IN, `${pathname}${search}`))
}

export const router = createBrowserRouter([
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
        path: '/manage',
        loader: requireStoredUser,
        lazy: async () => ({
          Component: (await import('../layouts/manage-layout.tsx')).ManageLayout,
        }),
        children: [
          {
            ErrorBoundary: ErrorPage,
            children: [
              { path: 'investor', children: investorPages },
              { path: 'admin', children: adminPages },
              {
                index: true,
                loader: () => redirect(dashboardOf(getStoredUser()?.role ?? 'user')),
              },
            ],
          },
        ],
      },
      page('*', () => import('./not-found-page.tsx'), 'NotFoundPage'),
    ],
  },
])
