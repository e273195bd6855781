import type { ManagePage } from '../../shared/url/page.ts'

export const faqAdminPage: ManagePage = {
  access: 'admin',
  permission: 'faqs.read',
  path: '/manage/admin/faq',
  title: 'Manage FAQ',
  menu: 'palette',
  load: async () => (await import('./admin-page.tsx')).FaqAdminPage,
}
