import { ArrowLeftRight } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const myTransactionsPage: ManagePage = {
  access: 'user',
  path: '/manage/investor/transactions',
  title: 'Transactions',
  menu: 'main',
  icon: ArrowLeftRight,
  views: [{ search: '?banks=open', title: 'Bank Accounts' }],
  load: async () => (await import('./mine-page.tsx')).MyTransactionsPage,
}

export const transactionsPage: ManagePage = {
  access: 'admin',
  permission: 'transactions.read',
  path: '/manage/admin/transactions',
  title: 'Transactions',
  menu: 'work',
  icon: ArrowLeftRight,
  views: [{ search: '?status=pending', title: 'Pending Transactions' }],
  load: async () => (await import('./admin-page.tsx')).TransactionsPage,
}
