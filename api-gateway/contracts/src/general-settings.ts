import { z } from 'zod'
import { listCurrencies } from './currency.ts'
import { createOptionalTextField, createRequiredTextField, Flag, OptionalEmail } from './fields.ts'
import { CountryRiskText, CountryRiskTexts, RISK_TEXT_CHARACTERS_MAX } from './risk.ts'
import { defineFlag, defineSetting, defineText, optionalSite, site } from './setting-kinds.ts'

const isUrl = (given: string) =>
  /^https?:\/\/[^\s/@]+\/?$/.test(given) && URL.canParse(given) && given.length <= 200

const SiteUrl = createRequiredTextField('Site URL', 200)
  .refine(isUrl, 'Enter an address like https://example.com')
  .transform((given) => given.replace(/\/$/, ''))

const Currency = createRequiredTextField('Currency', 3)
  .toUpperCase()
  .refine((code) => listCurrencies().includes(code), 'Unknown currency')

const Timezone = createRequiredTextField('Timezone', 60).refine(
  (zone) => zone === 'UTC' || Intl.supportedValuesOf('timeZone').includes(zone),
  'Unknown timezone',
)

const optional = z.string().nullable()

function isLegalPage(given: string | null): boolean {
  if (given === null) return true
  if (/\s/.test(given) || !URL.canParse(given)) return false
  const { protocol, username, password } = new URL(given)
  return protocol === 'https:' && username === '' && password === ''
}

/** Returns a setting with the address of a legal text, which the operator publishes elsewhere. */
function defineLegalPage(label: string) {
  return defineSetting({
    ...optionalSite,
    section: 'The operator',
    label,
    hint: 'An https:// address; without it, the footer says “not published”.',
    form: createOptionalTextField(label, 300).refine(
      isLegalPage,
      'Enter an address like https://example.com/terms',
    ),
    // Release 0.9.0 does not send it.
    answer: optional.default(null),
    control: 'url',
    isOptional: true,
    initial: null,
    weakenedBy: 'any change',
  })
}

export const generalSettings = {
  siteName: defineText({
    ...site,
    section: 'The site',
    label: 'Site name',
    charactersMax: 60,
    initial: 'Cairn',
  }),
  siteUrl: defineSetting({
    ...site,
    section: 'The site',
    label: 'Site URL',
    hint: 'Start of the referral links; links in emails begin with PUBLIC_URL, set on the server.',
    form: SiteUrl,
    answer: z.string(),
    control: 'url',
    weakenedBy: 'any change',
  }),
  defaultCurrency: defineSetting({
    ...site,
    section: 'The site',
    label: 'Default currency',
    hint: 'A currency with two decimals, which cannot be changed after the first money movement.',
    form: Currency,
    answer: z.string(),
    control: 'select',
    options: () => listCurrencies().map((code) => [code, code]),
    initial: 'USD',
  }),
  timezone: defineSetting({
    ...site,
    section: 'The site',
    label: 'Timezone',
    hint: 'Used for times in emails and documents; limits, months and signed records use UTC.',
    form: Timezone,
    answer: z.string(),
    control: 'select',
    options: () =>
      [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => [zone, zone]),
    initial: 'UTC',
  }),
  maintenanceMode: defineFlag({
    ...site,
    section: 'The site',
    label: 'Maintenance mode',
    hint: 'Only administrators can log in, while profit credits and maturities continue.',
    initial: false,
  }),
  translationWidget: defineFlag({
    ...optionalSite,
    section: 'The site',
    label: 'Offer a third-party translation of the public pages',
    initial: false,
  }),
  legalName: defineSetting({
    ...optionalSite,
    section: 'The operator',
    label: 'Legal name',
    hint: 'Shown in the footer, which says “not stated” without it.',
    form: createOptionalTextField('Legal name', 200),
    answer: optional,
    control: 'text',
    isOptional: true,
    initial: null,
  }),
  termsUrl: defineLegalPage('Terms of use'),
  privacyUrl: defineLegalPage('Privacy notice'),
  contact: defineSetting({
    ...optionalSite,
    section: 'The operator',
    label: 'Contact',
    parts: { phone: 'Phone', email: 'Contact email', address: 'Address' },
    form: z.strictObject({
      phone: createOptionalTextField('Phone', 60),
      email: OptionalEmail,
      address: createOptionalTextField('Address', 300),
    }),
    answer: z.object({ phone: optional, email: optional, address: optional }),
    control: 'custom',
    initial: { phone: null, email: null, address: null },
  }),
  /** The default text is `RISK_WARNING` of the gateway. */
  riskBanner: defineSetting({
    ...optionalSite,
    section: 'Risk warning',
    label: 'Risk banner',
    parts: { isShown: 'Show the risk banner on the public pages', text: 'Risk banner text' },
    form: z.strictObject({
      isShown: Flag,
      text: createRequiredTextField('Risk banner', RISK_TEXT_CHARACTERS_MAX),
    }),
    answer: z.object({ isShown: z.boolean(), text: z.string() }),
    control: 'custom',
    weakenedBy: 'any change',
  }),
  /** The texts of the countries that have their own risk warning. */
  riskTexts: defineSetting({
    ...optionalSite,
    section: 'Risk warning',
    label: 'Risk warnings by country',
    form: CountryRiskTexts,
    answer: z.array(CountryRiskText),
    control: 'custom',
    weakenedBy: 'any change',
  }),
}
