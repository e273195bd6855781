import type { PublicPage } from '../../shared/url/page.ts'

export const landingPage: PublicPage = {
  access: 'public',
  path: '/',
  title: 'Home',
  menu: 'site',
  prerender: 'readable',
  load: async () => (await import('./landing-page.tsx')).LandingPage,
}

export const aboutPage: PublicPage = {
  access: 'public',
  path: '/about_us',
  title: 'About us',
  label: 'About',
  menu: 'site',
  prerender: 'readable',
  load: async () => (await import('./about-page.tsx')).AboutPage,
}

export const servicesPage: PublicPage = {
  access: 'public',
  path: '/services',
  title: 'Services',
  menu: 'site',
  prerender: 'readable',
  load: async () => (await import('./services-page.tsx')).ServicesPage,
}

export const investmentPage: PublicPage = {
  access: 'public',
  path: '/investment',
  title: 'Investment Plan',
  label: 'Investment',
  menu: 'site',
  prerender: 'readable',
  load: async () => (await import('./investment-page.tsx')).InvestmentPage,
}

export const faqsPage: PublicPage = {
  access: 'public',
  path: '/faqs',
  title: 'FAQs',
  menu: 'site',
  prerender: 'readable',
  load: async () => (await import('./faqs-page.tsx')).FaqsPage,
}
