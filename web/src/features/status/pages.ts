import type { PublicPage } from '../../shared/url/page.ts'

export const statusPage: PublicPage = {
  access: 'public',
  path: '/status',
  title: 'Status',
  menu: 'footer',
  prerender: 'readable',
  load: async () => (await import('./status-page.tsx')).StatusPage,
}
