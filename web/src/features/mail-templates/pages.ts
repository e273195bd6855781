import { Mail } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const mailTemplatesPage: ManagePage = {
  access: 'admin',
  permission: 'templates.read',
  path: '/manage/admin/templates',
  title: 'Email templates',
  menu: 'site',
  icon: Mail,
  load: async () => (await import('./mail-templates-page.tsx')).MailTemplatesPage,
}
