import { KeyRound } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const rolesPage: ManagePage = {
  access: 'admin',
  permission: 'roles.read',
  path: '/manage/admin/roles',
  title: 'Roles',
  menu: 'people',
  icon: KeyRound,
  load: async () => (await import('./roles-page.tsx')).RolesPage,
}
