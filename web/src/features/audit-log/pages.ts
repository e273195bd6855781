import { ScrollText } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const auditLogPage: ManagePage = {
  access: 'admin',
  permission: 'audit.read',
  path: '/manage/admin/audit',
  title: 'Audit log',
  menu: 'ledger',
  icon: ScrollText,
  load: async () => (await import('./audit-log-page.tsx')).AuditLogPage,
}
