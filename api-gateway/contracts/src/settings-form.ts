import { z } from 'zod'
import { AllowListEntry } from './allow-list.ts'
import { Email, Flag, optionalText, requiredText, wholeNumber } from './fields.ts'
import { parseAmount, parsePercent } from './money.ts'
import { CountryRiskTexts, RISK_TEXT_CHARACTERS_MAX } from './risk.ts'

export const PAYMENT_METHODS = ['bank', 'card', 'crypto', 'mobile', 'paypal', 'stripe'] as const
export const PaymentMethod = z.enum(PAYMENT_METHODS, 'Unknown payment method')
export type PaymentMethod = z.infer<typeof PaymentMethod>
/**
 * Methods for which a payment option can be created; the pages show the others as not connected.
 */
export const CONNECTED_METHODS: readonly PaymentMethod[] = ['bank', 'crypto', 'mobile']

export const ALLOW_LIST_MAX = 200
export const HOLD_HOURS_MAX = 72
export const AUDITORS_MAX = 20
/** A session of an administrator ends after 480 minutes, so a longer time has no effect. */
export const STEP_UP_MINUTES_MAX = 480

const isUrl = (text: string) =>
  /^https?:\/\/[^\s/@]+\/?$/.test(text) && URL.canParse(text) && text.length <= 200

const SiteUrl = requiredText('Site URL', 200)
  .refine(isUrl, 'Enter an address like https://example.com')
  .transform((text) => text.replace(/\/$/, ''))

const Currency = requiredText('Currency', 3)
  .toUpperCase()
  .refine((code) => Intl.supportedValuesOf('currency').includes(code), 'Unknown currency')

const Timezone = requiredText('Timezone', 60).refine(
  (zone) => zone === 'UTC' || Intl.supportedValuesOf('timeZone').includes(zone),
  'Unknown timezone',
)

const numeric = z.union([z.number(), z.string()], 'Enter a number')

const Fee = numeric.transform((value, context): number => {
  const ppm = parsePercent(value)
  if (ppm !== null && ppm <= 100_000 && ppm % 1_000 === 0) return ppm
  context.addIssue('Enter a percentage from 0 to 10 with at most one decimal')
  return z.NEVER
})

const Minimum = numeric.transform((value, context): bigint => {
  const minor = parseAmount(value)
  if (minor !== null && minor >= 100n) return minor
  context.addIssue('Enter an amount of at least 1')
  return z.NEVER
})

const Threshold = z
  .union([z.number(), z.string(), z.null()], 'Enter an amount')
  .transform((value, context): bigint | null => {
    if (value === null || value === '') return null
    const minor = parseAmount(value)
    if (minor !== null && minor > 0n) return minor
    context.addIssue('Enter an amount above zero, or nothing')
    return z.NEVER
  })

type Limits = Readonly<Record<'dailyWithdrawalLimit' | 'monthlyWithdrawalLimit', Limit>>
type Limit = bigint | null | undefined

/** Refuses a limit below the minimum withdrawal, because no withdrawal could pass it. */
function requireUsableLimits(
  payment: Partial<Limits> & { minWithdrawal: bigint },
  context: z.RefinementCtx,
): void {
  for (const name of ['dailyWithdrawalLimit', 'monthlyWithdrawalLimit'] as const) {
    const limit = payment[name] ?? null
    if (limit === null || limit >= payment.minWithdrawal) continue
    const message = 'Enter at least the minimum withdrawal, or nothing'
    context.addIssue({ code: 'custom', path: [name], message })
  }
}

const OptionalEmail = z
  .string('Invalid email address')
  .trim()
  .toLowerCase()
  .max(254, 'Invalid email address')
  .nullable()
  .transform((value) => (value === '' ? null : value))
  .pipe(z.email('Invalid email address').nullable())

const hours = (label: string, max: number) => wholeNumber(label, { min: 0, max })

const Country = z.string().regex(/^[A-Z]{2}$/, 'must be a country code')

/**
 * The documented keys are required. Of the other keys, missing ones keep their values. Parsed
 * amounts are in minor units and parsed percentages in parts per million.
 */
export const SettingsForm = z.strictObject({
  general: z.strictObject({
    siteName: requiredText('Site name', 60),
    siteUrl: SiteUrl,
    defaultCurrency: Currency,
    maintenanceMode: Flag,
    timezone: Timezone,
    legalName: optionalText('Legal name', 200).optional(),
    contact: z
      .strictObject({
        phone: optionalText('Phone', 60),
        email: OptionalEmail,
        address: optionalText('Address', 300),
      })
      .optional(),
    translationWidget: Flag.optional(),
    riskBanner: z
      .strictObject({
        isShown: Flag,
        text: requiredText('Risk banner', RISK_TEXT_CHARACTERS_MAX),
      })
      .optional(),
    riskTexts: CountryRiskTexts.optional(),
  }),
  security: z.strictObject({
    twoFactorAuth: Flag,
    loginAttempts: wholeNumber('Login attempts', { min: 1, max: 10 }),
    passwordExpiry: wholeNumber('Password expiry', { min: 30, max: 365 }),
    ipWhitelist: z
      .array(AllowListEntry, 'must be a list')
      .max(ALLOW_LIST_MAX, `At most ${ALLOW_LIST_MAX} addresses`)
      .transform((entries) => [...new Set(entries)]),
    autoApproveUsers: Flag.optional(),
    approvalThreshold: Threshold.optional(),
    bankCoolingHours: hours('Bank cooling-off', HOLD_HOURS_MAX).optional(),
    credentialHoldHours: hours('Hold', HOLD_HOURS_MAX).optional(),
    stepUpMinutes: wholeNumber('Minutes', { min: 1, max: STEP_UP_MINUTES_MAX }).optional(),
  }),
  notifications: z.strictObject({
    emailNotifications: Flag,
    adminEmail: OptionalEmail.optional(),
    newUserNotification: Flag,
    depositNotification: Flag,
    withdrawalNotification: Flag,
    auditorEmails: z
      .array(Email, 'must be a list')
      .max(AUDITORS_MAX, `At most ${AUDITORS_MAX} addresses`)
      .transform((addresses) => [...new Set(addresses)])
      .optional(),
  }),
  payment: z
    .strictObject({
      depositFee: Fee,
      withdrawalFee: Fee,
      minDeposit: Minimum,
      minWithdrawal: Minimum,
      dailyWithdrawalLimit: Threshold.optional(),
      monthlyWithdrawalLimit: Threshold.optional(),
      paymentMethods: z
        .array(PaymentMethod, 'must be a list')
        .max(PAYMENT_METHODS.length)
        .transform((methods) => [...new Set(methods)]),
      coverageMode: z.enum(['disclose', 'strict'], 'Unknown coverage mode').optional(),
      coolingOffHours: hours('Cooling-off', 720).optional(),
      annualRateWarning: wholeNumber('Annual rate', { min: 1, max: 1_000 }).optional(),
      referral: z
        .strictObject({
          enabled: Flag,
          blockedCountries: z.array(Country, 'must be a list').max(250),
        })
        .optional(),
    })
    .superRefine(requireUsableLimits),
  /** The version of the loaded settings; 409 if another version is in force. */
  version: z.int().min(0).optional(),
  /** Saves even if the change locks the caller out. */
  confirm: Flag.optional(),
})
export type SettingsForm = z.input<typeof SettingsForm>
