import { Handshake } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const myReferralsPage: ManagePage = {
  access: 'user',
  path: '/manage/investor/referrals',
  title: 'Referrals',
  menu: 'main',
  icon: Handshake,
  load: async () => (await import('./my-page.tsx')).MyReferralsPage,
}

export const referrersPage: ManagePage = {
  access: 'admin',
  permission: 'referrals.read',
  path: '/manage/admin/referrals',
  title: 'Referrals',
  menu: 'people',
  icon: Handshake,
  load: async () => (await import('./admin-page.tsx')).ReferrersPage,
}
