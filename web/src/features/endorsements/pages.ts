import { Quote } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const endorsementsPage: ManagePage = {
  access: 'admin',
  permission: 'endorsements.read',
  path: '/manage/admin/testimonials',
  title: 'Testimonials and sponsors',
  label: 'Testimonials',
  menu: 'site',
  icon: Quote,
  load: async () => (await import('./admin-page.tsx')).EndorsementsPage,
}
