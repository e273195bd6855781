import { Megaphone } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const announcementsPage: ManagePage = {
  access: 'admin',
  permission: 'templates.read',
  path: '/manage/admin/announcements',
  title: 'Announcements',
  menu: 'site',
  icon: Megaphone,
  load: async () => (await import('./announcements-page.tsx')).AnnouncementsPage,
}
