import { MessageSquare } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const messagesPage: ManagePage = {
  access: 'admin',
  permission: 'messages.read',
  path: '/manage/admin/messages',
  title: 'Messages',
  menu: 'work',
  icon: MessageSquare,
  load: async () => (await import('./messages-page.tsx')).MessagesPage,
}
