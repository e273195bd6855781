import { Users } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const usersPage: ManagePage = {
  access: 'admin',
  permission: 'users.read',
  path: '/manage/admin/users',
  title: 'Manage Users',
  menu: 'people',
  icon: Users,
  load: async () => (await import('./users-page.tsx')).UsersPage,
}

export const userPage: ManagePage = {
  access: 'admin',
  permission: 'users.read',
  path: '/manage/admin/users/:id',
  title: 'User',
  menu: 'none',
  load: async () => (await import('./user-page.tsx')).UserPage,
}
