import { Settings } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const adminSettingsPage: ManagePage = {
  access: 'admin',
  permission: 'settings.read',
  path: '/manage/admin/settings',
  title: 'Settings',
  menu: 'site',
  icon: Settings,
  load: async () => (await import('./admin-page.tsx')).AdminSettingsPage,
}
