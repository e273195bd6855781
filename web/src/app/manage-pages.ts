import { announcementsPage } from '../features/announcements/pages.ts'
import { approvalsPage } from '../features/approvals/pages.ts'
import { auditLogPage } from '../features/audit-log/pages.ts'
import { bankStatementsPage } from '../features/bank-statements/pages.ts'
import { claimsPage } from '../features/claims/pages.ts'
import { adminDashboardPage, investorDashboardPage } from '../features/dashboard/pages.ts'
import { depositPage } from '../features/deposits/pages.ts'
import { endorsementsPage } from '../features/endorsements/pages.ts'
import {
  accountPage,
  accountsPage,
  checkpointsPage,
  eventPage,
  eventsPage,
} from '../features/explorer/pages.ts'
import { faqAdminPage } from '../features/faqs/pages.ts'
import { investmentsPage, myInvestmentsPage } from '../features/investments/pages.ts'
import { jobsPage } from '../features/jobs/pages.ts'
import { ledgersPage } from '../features/ledgers/pages.ts'
import { mailTemplatesPage } from '../features/mail-templates/pages.ts'
import { messagesPage } from '../features/messages/pages.ts'
import {
  adminNotificationsPage,
  investorNotificationsPage,
} from '../features/notifications/pages.ts'
import { paymentOptionsPage } from '../features/payment-options/pages.ts'
import { plansPage } from '../features/plans/pages.ts'
import { adminAccountPage, investorSettingsPage } from '../features/profile/pages.ts'
import { myReferralsPage, referrersPage } from '../features/referrals/pages.ts'
import { reservePage } from '../features/reserve/pages.ts'
import { rolesPage } from '../features/roles/pages.ts'
import { adminSettingsPage } from '../features/settings/pages.ts'
import { myTransactionsPage, transactionsPage } from '../features/transactions/pages.ts'
import { userPage, usersPage } from '../features/users/pages.ts'
import { withdrawalPage } from '../features/withdrawals/pages.ts'
import type { ManagePage } from '../shared/url/page.ts'

/** All pages that need a login, in the order of the menus and the command palette. */
export const managePages: readonly ManagePage[] = [
  investorDashboardPage,
  myInvestmentsPage,
  myTransactionsPage,
  myReferralsPage,
  investorSettingsPage,
  depositPage,
  withdrawalPage,
  investorNotificationsPage,
  adminDashboardPage,
  usersPage,
  userPage,
  transactionsPage,
  investmentsPage,
  adminSettingsPage,
  plansPage,
  paymentOptionsPage,
  faqAdminPage,
  endorsementsPage,
  referrersPage,
  approvalsPage,
  eventsPage,
  eventPage,
  accountsPage,
  accountPage,
  checkpointsPage,
  ledgersPage,
  auditLogPage,
  rolesPage,
  reservePage,
  bankStatementsPage,
  claimsPage,
  messagesPage,
  mailTemplatesPage,
  announcementsPage,
  jobsPage,
  adminAccountPage,
  adminNotificationsPage,
]
