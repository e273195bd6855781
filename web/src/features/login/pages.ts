import type { PublicPage } from '../../shared/url/page.ts'

export const loginPage: PublicPage = {
  access: 'public',
  path: '/users/login',
  title: 'Login',
  prerender: 'outline',
  load: async () => (await import('./login-page.tsx')).LoginPage,
}
