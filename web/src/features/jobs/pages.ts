import { Cog } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const jobsPage: ManagePage = {
  access: 'admin',
  permission: 'jobs.read',
  path: '/manage/admin/jobs',
  title: 'Jobs',
  menu: 'site',
  icon: Cog,
  load: async () => (await import('./jobs-page.tsx')).JobsPage,
}
