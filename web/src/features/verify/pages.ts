import type { PublicPage } from '../../shared/url/page.ts'

export const verifyPage: PublicPage = {
  access: 'public',
  path: '/verify',
  title: 'Verify a receipt',
  menu: 'footer',
  prerender: 'form',
  load: async () => (await import('./verify-page.tsx')).VerifyPage,
}
