/** Every page there is, by who may see it: what is looked at and what is checked is one list. */
export const SITE_PAGES = {
  visitor: [
    '/',
    '/about_us',
    '/services',
    '/investment',
    '/contact_us',
    '/faqs',
    '/verify',
    '/users/login',
    '/users/register',
    '/users/forgotPassword',
    '/users/resetPassword?token=spent',
    '/no/such/page',
  ],
  investor: [
    '/manage/investor/dashboard',
    '/manage/investor/investments',
    '/manage/investor/investments?view=new',
    '/manage/investor/transactions',
    '/manage/investor/transactions?banks=open',
    '/manage/investor/deposit',
    '/manage/investor/withdrawal',
    '/manage/investor/referrals',
    '/manage/investor/notifications',
    '/manage/investor/settings?tab=profile',
    '/manage/investor/settings?tab=security',
    '/manage/investor/settings?tab=notifications',
    '/manage/investor/settings?tab=statements',
  ],
  admin: [
    '/manage/admin/dashboard',
    '/manage/admin/users',
    '/manage/admin/transactions',
    '/manage/admin/investments',
    '/manage/admin/plans',
    '/manage/admin/payment_options',
    '/manage/admin/settings',
    '/manage/admin/account',
    '/manage/admin/notifications',
  ],
} as const

export const LOGINS = {
  visitor: null,
  investor: { email: 'investor@cairn.example', password: 'cairn-demo-investor' },
  admin: { email: 'admin@cairn.example', password: 'cairn-demo-admin' },
} as const

export type Visitor = keyof typeof SITE_PAGES
