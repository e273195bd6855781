import type { ManagePage } from '../../shared/url/page.ts'

export const investorNotificationsPage: ManagePage = {
  access: 'user',
  path: '/manage/investor/notifications',
  title: 'Notifications',
  menu: 'palette',
  load: async () => (await import('./notifications-page.tsx')).NotificationsPage,
}

export const adminNotificationsPage: ManagePage = {
  access: 'admin',
  permission: null,
  path: '/manage/admin/notifications',
  title: 'Notifications',
  menu: 'palette',
  load: async () => (await import('./notifications-page.tsx')).NotificationsPage,
}
