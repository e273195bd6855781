import { type RouteObject, redirect } from 'react-router-dom'

import { ErrorPage } from './error-page.tsx'
import { createPageRoute } from './page-route.ts'

const investorPages: RouteObject[] = [
  createPageRoute(
    'dashboard',
    () => import('../features/dashboard/investor-page.tsx'),
    'InvestorDashboard',
  ),
  createPageRoute(
    'investments',
    () => import('../features/investments/mine-page.tsx'),
    'MyInvestmentsPage',
  ),
  createPageRoute(
    'transactions',
    () => import('../features/transactions/mine-page.tsx'),
    'MyTransactionsPage',
  ),
  createPageRoute('deposit', () => import('../features/deposits/deposit-page.tsx'), 'DepositPage'),
  createPageRoute(
    'withdrawal',
    () => import('../features/withdrawals/withdrawal-page.tsx'),
    'WithdrawalPage',
  ),
  createPageRoute(
    'referrals',
    () => import('../features/referrals/my-page.tsx'),
    'MyReferralsPage',
  ),
  createPageRoute(
    'notifications',
    () => import('../features/notifications/notifications-page.tsx'),
    'NotificationsPage',
  ),
  createPageRoute(
    'settings',
    () => import('../features/profile/account-page.tsx'),
    'InvestorSettingsPage',
  ),
  {
    path: 'statements',
    loader: () => redirect('/manage/investor/settings?tab=statements'),
  },
]

const adminPages: RouteObject[] = [
  createPageRoute(
    'dashboard',
    () => import('../features/dashboard/admin-page.tsx'),
    'AdminDashboard',
  ),
  createPageRoute(
    'transactions',
    () => import('../features/transactions/admin-page.tsx'),
    'TransactionsPage',
  ),
  createPageRoute('users', () => import('../features/users/users-page.tsx'), 'UsersPage'),
  createPageRoute(
    'investments',
    () => import('../features/investments/admin-page.tsx'),
    'InvestmentsPage',
  ),
  createPageRoute('plans', () => import('../features/plans/admin-page.tsx'), 'PlansPage'),
  createPageRoute(
    'payment_options',
    () => import('../features/payment-options/admin-page.tsx'),
    'PaymentOptionsPage',
  ),
  createPageRoute(
    'notifications',
    () => import('../features/notifications/notifications-page.tsx'),
    'NotificationsPage',
  ),
  createPageRoute(
    'account',
    () => import('../features/profile/account-page.tsx'),
    'AdminAccountPage',
  ),
  createPageRoute(
    'settings',
    () => import('../features/settings/admin-page.tsx'),
    'AdminSettingsPage',
  ),
  createPageRoute('users/:id', () => import('../features/users/user-page.tsx'), 'UserPage'),
  createPageRoute('faq', () => import('../features/faqs/admin-page.tsx'), 'FaqAdminPage'),
  createPageRoute(
    'approvals',
    () => import('../features/approvals/approvals-page.tsx'),
    'ApprovalsPage',
  ),
  createPageRoute(
    'messages',
    () => import('../features/messages/messages-page.tsx'),
    'MessagesPage',
  ),
  createPageRoute(
    'referrals',
    () => import('../features/referrals/admin-page.tsx'),
    'ReferrersPage',
  ),
  createPageRoute('jobs', () => import('../features/jobs/jobs-page.tsx'), 'JobsPage'),
  createPageRoute(
    'templates',
    () => import('../features/mail-templates/mail-templates-page.tsx'),
    'MailTemplatesPage',
  ),
  createPageRoute('ledger', () => import('../features/explorer/events-page.tsx'), 'EventsPage'),
  createPageRoute('ledger/:seq', () => import('../features/explorer/event-page.tsx'), 'EventPage'),
  createPageRoute(
    'accounts',
    () => import('../features/explorer/accounts-page.tsx'),
    'AccountsPage',
  ),
  createPageRoute(
    'accounts/:account',
    () => import('../features/explorer/account-page.tsx'),
    'AccountPage',
  ),
  createPageRoute(
    'checkpoints',
    () => import('../features/explorer/checkpoints-page.tsx'),
    'CheckpointsPage',
  ),
  createPageRoute(
    'audit',
    () => import('../features/audit-log/audit-log-page.tsx'),
    'AuditLogPage',
  ),
  createPageRoute('claims', () => import('../features/claims/claims-page.tsx'), 'ClaimsPage'),
  createPageRoute('reserve', () => import('../features/reserve/reserve-page.tsx'), 'ReservePage'),
  createPageRoute(
    'reserve/:option',
    () => import('../features/bank-statements/bank-statements-page.tsx'),
    'BankStatementsPage',
  ),
]

/** All routes below `/manage`. The chunk loads on first use, so visitors do not download it. */
export const manageRoutes: RouteObject[] = [
  {
    ErrorBoundary: ErrorPage,
    children: [
      { path: 'investor', children: investorPages },
      { path: 'admin', children: adminPages },
    ],
  },
]
