import type { PublicPage } from '../../shared/url/page.ts'

export const riskPage: PublicPage = {
  access: 'public',
  path: '/risk',
  title: 'Know the risks',
  label: 'Risk',
  menu: 'footer',
  prerender: 'readable',
  load: async () => (await import('./risk-page.tsx')).RiskPage,
}
