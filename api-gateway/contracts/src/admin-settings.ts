import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { failure, LEDGER_ASKED, LEDGER_TOLD } from './failures.ts'
import { Instant } from './fields.ts'
import { MoneyOut, PercentOut } from './money.ts'
import { CountryRiskText } from './risk.ts'
import { PaymentMethod, SettingsForm } from './settings-form.ts'

export const AdminSettings = z.object({
  general: z.object({
    siteName: z.string(),
    siteUrl: z.string(),
    defaultCurrency: z.string(),
    maintenanceMode: z.boolean(),
    timezone: z.string(),
    legalName: z.string().nullable(),
    contact: z.object({
      phone: z.string().nullable(),
      email: z.string().nullable(),
      address: z.string().nullable(),
    }),
    translationWidget: z.boolean(),
    riskBanner: z.object({ isShown: z.boolean(), text: z.string() }),
    /** Of the countries that have a text of their own. */
    riskTexts: z.array(CountryRiskText),
  }),
  security: z.object({
    twoFactorAuth: z.boolean(),
    loginAttempts: z.int(),
    passwordExpiry: z.int(),
    ipWhitelist: z.array(z.string()),
    autoApproveUsers: z.boolean(),
    /** From this amount on two administrators approve; null: one is enough. */
    approvalThreshold: MoneyOut.nullable(),
    bankCoolingHours: z.int(),
    credentialHoldHours: z.int(),
    /** So long after the second factor an administrator's money acts need no new code. */
    stepUpMinutes: z.int(),
  }),
  notifications: z.object({
    emailNotifications: z.boolean(),
    adminEmail: z.string().nullable(),
    newUserNotification: z.boolean(),
    depositNotification: z.boolean(),
    withdrawalNotification: z.boolean(),
    /** Who is mailed the signed trial balance of each month. */
    auditorEmails: z.array(z.string()),
  }),
  payment: z.object({
    depositFee: PercentOut,
    withdrawalFee: PercentOut,
    minDeposit: MoneyOut,
    minWithdrawal: MoneyOut,
    /** Of each investor, over a day and a month of UTC; null: no limit. */
    dailyWithdrawalLimit: MoneyOut.nullable(),
    monthlyWithdrawalLimit: MoneyOut.nullable(),
    paymentMethods: z.array(PaymentMethod),
    coverageMode: z.enum(['disclose', 'strict']),
    coolingOffHours: z.int(),
    annualRateWarning: z.int(),
    referral: z.object({ enabled: z.boolean(), blockedCountries: z.array(z.string()) }),
  }),
  /** Send it back with the changes. */
  version: z.int(),
})
export type AdminSettings = z.infer<typeof AdminSettings>

const answer = z.object({
  settings: AdminSettings,
  /** The address this request came from, as the allow list sees it. */
  callerAddress: z.string(),
  /** Methods that cannot be offered yet, whatever the list says. */
  unconnectedMethods: z.array(PaymentMethod),
  updatedAt: Instant.nullable(),
})

export const getAdminSettings = endpoint({
  method: 'GET',
  path: '/admin/settings',
  access: 'admin',
  response: answer,
  failures: [...LEDGER_ASKED],
})

/**
 * The whole object. 400 `INVALID` with `errors` as a map of leaf names; 409 `VERSION_CONFLICT` with
 * `details.fields` when somebody else has saved since; 409 `LOCKOUT_RISK` when the address list leaves
 * the caller out, 409 `MFA_NOT_ENROLLED` when it asks all administrators for a second factor that the
 * caller does not have: both pass with `confirm`; 409 `CURRENCY_IN_USE` once money has moved.
 */
export const saveAdminSettings = endpoint({
  method: 'POST',
  path: '/admin/settings',
  access: 'admin',
  request: z.strictObject({ body: SettingsForm }),
  errors: 'map',
  response: answer,
  failures: [
    failure(
      409,
      'VERSION_CONFLICT',
      'Somebody else has saved the settings since. Load them again and repeat your change.',
    ),
    failure(
      409,
      'THRESHOLD_LOCKED',
      'Raising or clearing the approval threshold takes the server: npm run admin -- approval-threshold',
    ),
    failure(409, 'CURRENCY_IN_USE', 'The currency cannot change any more: there are entries in it'),
    failure(
      409,
      'LOCKOUT_RISK',
      'Your own address {address} is not in the list: you would lock yourself out. Add it, or confirm.',
    ),
    failure(
      409,
      'MFA_NOT_ENROLLED',
      'Set up two-factor authentication for yourself first, or confirm: you will then set it up before your next step.',
    ),
    ...LEDGER_TOLD,
  ],
})
