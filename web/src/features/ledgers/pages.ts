import { Library } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const ledgersPage: ManagePage = {
  access: 'admin',
  permission: 'ledger.read',
  path: '/manage/admin/ledgers',
  title: 'Ledgers',
  menu: 'ledger',
  icon: Library,
  load: async () => (await import('./ledgers-page.tsx')).LedgersPage,
}
