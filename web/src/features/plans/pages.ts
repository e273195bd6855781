import { ListChecks } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const plansPage: ManagePage = {
  access: 'admin',
  permission: 'plans.read',
  path: '/manage/admin/plans',
  title: 'Manage Plans',
  label: 'Plans',
  menu: 'catalogue',
  icon: ListChecks,
  load: async () => (await import('./admin-page.tsx')).PlansPage,
}
