/**
 * Paths of the site that mails and notifications link to. Each of them is a route of the web app.
 */
export const SITE_PATHS = [
  '/contact_us',
  '/faqs',
  '/verify',
  '/users/forgotPassword',
  '/users/resetPassword',
  '/manage/investor/dashboard',
  '/manage/investor/investments',
  '/manage/investor/referrals',
  '/manage/investor/settings',
  '/manage/investor/statements',
  '/manage/investor/transactions',
  '/manage/admin/approvals',
  '/manage/admin/audit',
  '/manage/admin/investments',
  '/manage/admin/jobs',
  '/manage/admin/messages',
  '/manage/admin/transactions',
  '/manage/admin/users',
] as const
