import type { PublicPage } from '../../shared/url/page.ts'

export const registerPage: PublicPage = {
  access: 'public',
  path: '/users/register',
  title: 'Create an account',
  prerender: 'outline',
  load: async () => (await import('./register-page.tsx')).RegisterPage,
}
