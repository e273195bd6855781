import { Settings } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const investorSettingsPage: ManagePage = {
  access: 'user',
  path: '/manage/investor/settings',
  title: 'Settings',
  menu: 'main',
  icon: Settings,
  views: [
    { search: '?tab=security', title: 'Password and two-factor' },
    { search: '?tab=notifications', title: 'Notification settings' },
    { search: '?tab=preferences', title: 'Preferences' },
    { search: '?tab=statements', title: 'Documents and fees' },
  ],
  load: async () => (await import('./account-page.tsx')).InvestorSettingsPage,
}

export const adminAccountPage: ManagePage = {
  access: 'admin',
  permission: null,
  path: '/manage/admin/account',
  title: 'Your account',
  menu: 'palette',
  load: async () => (await import('./account-page.tsx')).AdminAccountPage,
}
