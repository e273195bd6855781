import type { PublicPage } from '../../shared/url/page.ts'

export const forgotPasswordPage: PublicPage = {
  access: 'public',
  path: '/users/forgotPassword',
  title: 'Forgot your password?',
  prerender: 'outline',
  load: async () => (await import('./forgot-page.tsx')).ForgotPasswordPage,
}

export const resetPasswordPage: PublicPage = {
  access: 'public',
  path: '/users/resetPassword',
  title: 'Set a new password',
  load: async () => (await import('./reset-page.tsx')).ResetPasswordPage,
}
