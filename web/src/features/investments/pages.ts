import { ChartNoAxesColumn } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const myInvestmentsPage: ManagePage = {
  access: 'user',
  path: '/manage/investor/investments',
  title: 'Investments',
  menu: 'main',
  icon: ChartNoAxesColumn,
  views: [{ search: '?view=new', title: 'New Investment' }],
  load: async () => (await import('./mine-page.tsx')).MyInvestmentsPage,
}

export const investmentsPage: ManagePage = {
  access: 'admin',
  permission: 'investments.read',
  path: '/manage/admin/investments',
  title: 'Investments',
  menu: 'work',
  icon: ChartNoAxesColumn,
  load: async () => (await import('./admin-page.tsx')).InvestmentsPage,
}
