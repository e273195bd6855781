import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LEDGER_ASKED } from './failures.ts'
import { MoneyOut, PercentOut } from './money.ts'
import { RiskText } from './risk.ts'

/** The largest picture that any call takes. */
export const RECEIPT_BYTES_MAX = 2 * 1024 * 1024

/** `2`, `1.5`: for limits that are said in megabytes. */
export function megabytesOf(bytes: number): string {
  return String(Math.round((bytes / (1024 * 1024)) * 10) / 10)
}

export function fileTooLarge(bytesMax: number): string {
  return `The file is larger than ${megabytesOf(bytesMax)} MB`
}

const contact = z.object({
  phone: z.string().nullable(),
  email: z.string().nullable(),
  address: z.string().nullable(),
})
const riskBanner = z.object({ isShown: z.boolean(), text: z.string() })

/** What every visitor may know. */
export const PublicSettings = z.object({
  siteName: z.string(),
  siteUrl: z.string(),
  legalName: z.string().nullable(),
  contact,
  currency: z.string(),
  timezone: z.string(),
  /** True: only administrators get in; everybody else is answered 503 `MAINTENANCE`. */
  isMaintenance: z.boolean(),
  /** True: the page may offer the third party's translation. */
  isTranslationOffered: z.boolean(),
  riskBanner,
  /** The text for everybody first, then those of single countries. */
  riskTexts: z.array(RiskText),
  /** True: every figure is demo data and says so. */
  isDemo: z.boolean(),
  /** The page of the mail catcher, in the demo. */
  mailUrl: z.string().nullable(),
  minDeposit: MoneyOut,
  minWithdrawal: MoneyOut,
  depositFee: PercentOut,
  withdrawalFee: PercentOut,
  /** Of each investor, over a day and a month of UTC; null: no limit. */
  dailyWithdrawalLimit: MoneyOut.nullable(),
  monthlyWithdrawalLimit: MoneyOut.nullable(),
  coverageMode: z.enum(['disclose', 'strict']),
  isReferralEnabled: z.boolean(),
  /** Of a receipt and of every other picture. */
  receiptBytesMax: z.int(),
})
export type PublicSettings = z.infer<typeof PublicSettings>

export const getPublicSettings = endpoint({
  method: 'GET',
  path: '/public/settings',
  access: 'anyone',
  response: z.object({ settings: PublicSettings }),
  failures: [...LEDGER_ASKED],
})
