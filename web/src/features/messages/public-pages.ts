import type { PublicPage } from '../../shared/url/page.ts'

export const contactPage: PublicPage = {
  access: 'public',
  path: '/contact_us',
  title: 'Contact us',
  label: 'Contact',
  menu: 'site',
  prerender: 'form',
  load: async () => (await import('./contact-page.tsx')).ContactPage,
}
