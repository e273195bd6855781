import { z } from 'zod'
import { Flag } from './fields.ts'
import { PAYMENT_METHODS, PaymentMethod } from './payment-methods.ts'
import {
  defineFee,
  defineMinimum,
  defineSetting,
  defineThreshold,
  defineWholeNumber,
  ledger,
  optionalLedger,
  optionalSite,
  site,
} from './setting-kinds.ts'

const Country = z.string().regex(/^[A-Z]{2}$/, 'must be a country code')

const FEES = 'Fees, minimums and limits'
export const paymentSettings = {
  depositFee: defineFee({ ...ledger, section: FEES, label: 'Deposit fee (percent)' }),
  withdrawalFee: defineFee({ ...ledger, section: FEES, label: 'Withdrawal fee (percent)' }),
  minDeposit: defineMinimum({ ...ledger, section: FEES, label: 'Minimum deposit' }),
  minWithdrawal: defineMinimum({ ...ledger, section: FEES, label: 'Minimum withdrawal' }),
  /** The largest sum that one investor may request to withdraw in a UTC day; null for no limit. */
  dailyWithdrawalLimit: defineThreshold({
    ...optionalLedger,
    section: FEES,
    label: 'Daily withdrawal limit per investor',
    hint: 'Per UTC day; no limit if empty.',
    weakenedBy: 'raising',
  }),
  /**
   * The largest sum that one investor may request to withdraw in a UTC month; null for no limit.
   */
  monthlyWithdrawalLimit: defineThreshold({
    ...optionalLedger,
    section: FEES,
    label: 'Monthly withdrawal limit per investor',
    hint: 'Per UTC month; no limit if empty.',
    weakenedBy: 'raising',
  }),
  paymentMethods: defineSetting({
    ...site,
    section: 'Payment methods',
    label: 'Payment methods',
    form: z
      .array(PaymentMethod, 'must be a list')
      .max(PAYMENT_METHODS.length)
      .transform((methods) => [...new Set(methods)]),
    answer: z.array(PaymentMethod),
    control: 'custom',
    initial: ['bank', 'crypto', 'mobile'],
  }),
  coverageMode: defineSetting({
    ...optionalLedger,
    section: 'Investments',
    label: 'If the reserve does not cover the promised profit',
    hint: 'The public pages show the coverage in both cases.',
    form: z.enum(['disclose', 'strict'], 'Unknown coverage mode'),
    answer: z.enum(['disclose', 'strict']),
    control: 'select',
    options: () => [
      ['disclose', 'Sell and disclose the coverage'],
      ['strict', 'Refuse the purchase'],
    ],
    isWide: true,
    weakenedBy: 'choosing disclose',
  }),
  coolingOffHours: defineWholeNumber({
    ...optionalLedger,
    section: 'Investments',
    label: 'Cooling-off period (hours)',
    hint: '0 to 720; 0 means that there is no cooling-off period.',
    min: 0,
    max: 720,
    weakenedBy: 'lowering',
  }),
  annualRateWarning: defineWholeNumber({
    ...optionalSite,
    section: 'Investments',
    label: 'Annual rate warning threshold (percent)',
    hint: 'Shown when a plan is created',
    min: 1,
    max: 1_000,
    initial: 15,
    weakenedBy: 'raising',
  }),
  /** The ledger stores `enabled` as a money rule; the gateway stores `blockedCountries`. */
  referral: defineSetting({
    ...optionalLedger,
    section: 'Referrals',
    label: 'Referrals',
    parts: { enabled: 'Pay referral bonuses', blockedCountries: 'Countries without referrals' },
    form: z.strictObject({
      enabled: Flag,
      blockedCountries: z.array(Country, 'must be a list').max(250),
    }),
    answer: z.object({ enabled: z.boolean(), blockedCountries: z.array(z.string()) }),
    control: 'custom',
    weakenedBy: 'allowing more referrals',
  }),
}
