import { Landmark } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const reservePage: ManagePage = {
  access: 'admin',
  permission: 'reserve.read',
  path: '/manage/admin/reserve',
  title: 'Reserve',
  menu: 'ledger',
  icon: Landmark,
  load: async () => (await import('./reserve-page.tsx')).ReservePage,
}
