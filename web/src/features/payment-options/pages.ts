import { CreditCard } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const paymentOptionsPage: ManagePage = {
  access: 'admin',
  permission: 'paymentOptions.read',
  path: '/manage/admin/payment_options',
  title: 'Payment Options',
  menu: 'catalogue',
  icon: CreditCard,
  load: async () => (await import('./admin-page.tsx')).PaymentOptionsPage,
}
