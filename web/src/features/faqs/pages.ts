import { CircleHelp } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const faqAdminPage: ManagePage = {
  access: 'admin',
  permission: 'faqs.read',
  path: '/manage/admin/faq',
  title: 'Manage FAQ',
  label: 'FAQ',
  menu: 'site',
  icon: CircleHelp,
  load: async () => (await import('./admin-page.tsx')).FaqAdminPage,
}
