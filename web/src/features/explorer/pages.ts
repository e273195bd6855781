import { BookOpen, Layers, Stamp } from 'lucide-react'

import type { ManagePage } from '../../shared/url/page.ts'

export const eventsPage: ManagePage = {
  access: 'admin',
  permission: 'ledger.read',
  path: '/manage/admin/ledger',
  title: 'Ledger events',
  label: 'Events',
  menu: 'ledger',
  icon: Layers,
  load: async () => (await import('./events-page.tsx')).EventsPage,
}

export const eventPage: ManagePage = {
  access: 'admin',
  permission: 'ledger.read',
  path: '/manage/admin/ledger/:seq',
  title: 'Event',
  menu: 'none',
  load: async () => (await import('./event-page.tsx')).EventPage,
}

export const accountsPage: ManagePage = {
  access: 'admin',
  permission: 'ledger.read',
  path: '/manage/admin/accounts',
  title: 'Accounts',
  menu: 'ledger',
  icon: BookOpen,
  load: async () => (await import('./accounts-page.tsx')).AccountsPage,
}

export const accountPage: ManagePage = {
  access: 'admin',
  permission: 'ledger.read',
  path: '/manage/admin/accounts/:account',
  title: 'Account',
  menu: 'none',
  load: async () => (await import('./account-page.tsx')).AccountPage,
}

export const checkpointsPage: ManagePage = {
  access: 'admin',
  permission: 'ledger.read',
  path: '/manage/admin/checkpoints',
  title: 'Checkpoints',
  views: [{ search: '?verify=ledger', title: 'Verify the ledger' }],
  menu: 'ledger',
  icon: Stamp,
  load: async () => (await import('./checkpoints-page.tsx')).CheckpointsPage,
}
