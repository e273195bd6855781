import type { ManagePage } from '../../shared/url/page.ts'

export const bankStatementsPage: ManagePage = {
  access: 'admin',
  permission: 'bankStatements.read',
  path: '/manage/admin/reserve/:option',
  title: 'Bank statements',
  menu: 'none',
  load: async () => (await import('./bank-statements-page.tsx')).BankStatementsPage,
}
