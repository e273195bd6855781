import { loginPage } from '../features/login/pages.ts'
import { contactPage } from '../features/messages/public-pages.ts'
import { forgotPasswordPage, resetPasswordPage } from '../features/passwords/pages.ts'
import { registerPage } from '../features/registration/pages.ts'
import { riskPage } from '../features/risk/pages.ts'
import {
  aboutPage,
  faqsPage,
  investmentPage,
  landingPage,
  servicesPage,
} from '../features/site/pages.ts'
import { statusPage } from '../features/status/pages.ts'
import { verifyPage } from '../features/verify/pages.ts'
import type { PublicPage } from '../shared/url/page.ts'

/** The pages with the header and footer of the site, in the order of its menus. */
export const sitePages: readonly PublicPage[] = [
  landingPage,
  aboutPage,
  servicesPage,
  investmentPage,
  faqsPage,
  contactPage,
  riskPage,
  verifyPage,
  statusPage,
]

/** The pages of login and registration. */
export const authPages: readonly PublicPage[] = [
  loginPage,
  registerPage,
  forgotPasswordPage,
  resetPasswordPage,
]
