import { LayoutDashboard } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const investorDashboardPage: ManagePage = {
  access: 'user',
  path: '/manage/investor/dashboard',
  title: 'Dashboard',
  menu: 'main',
  icon: LayoutDashboard,
  load: async () => (await import('./investor-page.tsx')).InvestorDashboard,
}

export const adminDashboardPage: ManagePage = {
  access: 'admin',
  permission: 'overview.read',
  path: '/manage/admin/dashboard',
  title: 'Dashboard',
  menu: 'main',
  icon: LayoutDashboard,
  load: async () => (await import('./admin-page.tsx')).AdminDashboard,
}
