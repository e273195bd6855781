import type { ManagePage } from '../../shared/url/page.ts'

export const withdrawalPage: ManagePage = {
  access: 'user',
  path: '/manage/investor/withdrawal',
  title: 'Withdrawal',
  label: 'Withdraw Funds',
  menu: 'palette',
  load: async () => (await import('./withdrawal-page.tsx')).WithdrawalPage,
}
