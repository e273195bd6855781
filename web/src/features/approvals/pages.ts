import { ClipboardCheck } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const approvalsPage: ManagePage = {
  access: 'admin',
  permission: 'approvals.read',
  path: '/manage/admin/approvals',
  title: 'Approvals',
  menu: 'work',
  icon: ClipboardCheck,
  load: async () => (await import('./approvals-page.tsx')).ApprovalsPage,
}
