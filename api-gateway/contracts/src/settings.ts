import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'
import { MoneyOut, PercentOut } from './money.ts'
import { RiskText } from './risk.ts'

/** The largest image in bytes that any endpoint accepts. */
export const RECEIPT_BYTES_MAX = 2 * 1024 * 1024

/** Bytes as megabytes for messages: `2`, `1.5`. */
export function formatMegabytes(bytes: number): string {
  return String(Math.round((bytes / (1024 * 1024)) * 10) / 10)
}

export function describeFileTooLarge(bytesMax: number): string {
  return `The file is larger than ${formatMegabytes(bytesMax)} MB`
}

const contact = z.object({
  phone: z.string().nullable(),
  email: z.string().nullable(),
  address: z.string().nullable(),
})
const riskBanner = z.object({ isShown: z.boolean(), text: z.string() })

/** The settings that every visitor may read. */
export const PublicSettings = z.object({
  siteName: z.string(),
  siteUrl: z.string(),
  legalName: z.string().nullable(),
  contact,
  currency: z.string(),
  timezone: z.string(),
  /** True if only administrators may log in; all other requests receive 503 `MAINTENANCE`. */
  isMaintenance: z.boolean(),
  /** True if the page may offer the third-party translation. */
  isTranslationOffered: z.boolean(),
  riskBanner,
  /** The general text first, then the texts of single countries. */
  riskTexts: z.array(RiskText),
  /** True if the site shows demo data and must say so. */
  isDemo: z.boolean(),
  /** The URL of the mail catcher in the demo; otherwise null. */
  mailUrl: z.string().nullable(),
  minDeposit: MoneyOut,
  minWithdrawal: MoneyOut,
  depositFee: PercentOut,
  withdrawalFee: PercentOut,
  /** Limit per investor and UTC day or UTC month; null for no limit. */
  dailyWithdrawalLimit: MoneyOut.nullable(),
  monthlyWithdrawalLimit: MoneyOut.nullable(),
  coverageMode: z.enum(['disclose', 'strict']),
  isReferralEnabled: z.boolean(),
  /** Largest receipt or other image, in bytes. */
  receiptBytesMax: z.int(),
})
export type PublicSettings = z.infer<typeof PublicSettings>

export const getPublicSettings = endpoint({
  method: 'GET',
  path: '/public/settings',
  access: 'anyone',
  response: z.object({ settings: PublicSettings }),
  failures: [...LEDGER_QUERY_FAILURES],
})
