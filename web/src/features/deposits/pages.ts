import type { ManagePage } from '../../shared/url/page.ts'

export const depositPage: ManagePage = {
  access: 'user',
  path: '/manage/investor/deposit',
  title: 'Deposit',
  label: 'Deposit Funds',
  menu: 'palette',
  load: async () => (await import('./deposit-page.tsx')).DepositPage,
}
