import { TextQuote } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const claimsPage: ManagePage = {
  access: 'admin',
  permission: 'claims.read',
  path: '/manage/admin/claims',
  title: 'Claims',
  menu: 'site',
  icon: TextQuote,
  load: async () => (await import('./claims-page.tsx')).ClaimsPage,
}
