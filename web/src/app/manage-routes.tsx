import { type RouteObject, redirect } from 'react-router-dom'

import { ErrorPage } from './error-page.tsx'
import { page } from './page-route.ts'

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
  page('settings', () => import('../features/profile/account-page.tsx'), 'InvestorSettingsPage'),
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
  page('account', () => import('../features/profile/account-page.tsx'), 'AdminAccountPage'),
  page('settings', () => import('../features/settings/admin-page.tsx'), 'AdminSettingsPage'),
  page('users/:id', () => import('../features/users/user-page.tsx'), 'UserPage'),
  page('faq', () => import('../features/faqs/admin-page.tsx'), 'FaqAdminPage'),
  page('approvals', () => import('../features/approvals/approvals-page.tsx'), 'ApprovalsPage'),
  page('messages', () => import('../features/messages/messages-page.tsx'), 'MessagesPage'),
  page('referrals', () => import('../features/referrals/admin-page.tsx'), 'ReferrersPage'),
  page('jobs', () => import('../features/jobs/jobs-page.tsx'), 'JobsPage'),
  page(
    'templates',
    () => import('../features/mail-templates/mail-templates-page.tsx'),
    'TemplatesPage',
  ),
  page('ledger', () => import('../features/explorer/events-page.tsx'), 'LogPage'),
  page('ledger/:seq', () => import('../features/explorer/event-page.tsx'), 'LogEventPage'),
  page('accounts', () => import('../features/explorer/accounts-page.tsx'), 'AccountsPage'),
  page('accounts/:account', () => import('../features/explorer/account-page.tsx'), 'AccountPage'),
  page('checkpoints', () => import('../features/explorer/checkpoints-page.tsx'), 'CheckpointsPage'),
  page('audit', () => import('../features/audit-log/audit-log-page.tsx'), 'AuditPage'),
  page('claims', () => import('../features/claims/claims-page.tsx'), 'ClaimsPage'),
  page('reserve', () => import('../features/reserve/reserve-page.tsx'), 'ReservePage'),
  page(
    'reserve/:option',
    () => import('../features/bank-statements/bank-statements-page.tsx'),
    'BankStatementsPage',
  ),
]

/** Everything below `/manage`. It comes when it is first asked for: a visitor does not load its list. */
export const manageRoutes: RouteObject[] = [
  {
    ErrorBoundary: ErrorPage,
    children: [
      { path: 'investor', children: investorPages },
      { path: 'admin', children: adminPages },
    ],
  },
]
