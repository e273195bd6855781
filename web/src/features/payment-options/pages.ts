import type { ManagePage } from '../../shared/url/page.ts'

export const paymentOptionsPage: ManagePage = {
  access: 'admin',
  permission: 'paymentOptions.read',
  path: '/manage/admin/payment_options',
  title: 'Payment Options',
  menu: 'palette',
  load: async () => (await import('./admin-page.tsx')).PaymentOptionsPage,
}
