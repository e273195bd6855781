import { z } from 'zod'
import { declareEndpoint } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'
import { MoneyOut, PercentOut } from './money.ts'
import { RiskText } from './risk.ts'

/** Maximum size in bytes of a receipt or another uploaded image. */
export const RECEIPT_BYTES_MAX = 2 * 1024 * 1024

/** Formats bytes as megabytes for messages, for example `2` or `1.5`. */
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
  /**
   * The addresses of the legal texts; null if the operator publishes none. Release 0.9.0 does not
   * send them.
   */
  termsUrl: z.string().nullable().optional(),
  privacyUrl: z.string().nullable().optional(),
  contact,
  currency: z.string(),
  timezone: z.string(),
  /**
   * True if only administrators may log in. Requests of all other callers receive 503
   * `MAINTENANCE`.
   */
  isMaintenance: z.boolean(),
  /** True if the page may offer translation by a third-party service. */
  isTranslationOffered: z.boolean(),
  riskBanner,
  /**
   * The risk warnings: first the warning for all countries, then the warnings of single countries.
   */
  riskTexts: z.array(RiskText),
  /** True if the data is demo data. The pages must then say that the data is fictional. */
  isDemo: z.boolean(),
  /** The URL of the page with the demo's mails; null outside the demo. */
  mailUrl: z.string().nullable(),
  minDeposit: MoneyOut,
  minWithdrawal: MoneyOut,
  depositFee: PercentOut,
  withdrawalFee: PercentOut,
  /**
   * The largest sums that one investor may request to withdraw in a UTC day and in a UTC month;
   * null for no limit.
   */
  dailyWithdrawalLimit: MoneyOut.nullable(),
  monthlyWithdrawalLimit: MoneyOut.nullable(),
  coverageMode: z.enum(['disclose', 'strict']),
  isReferralEnabled: z.boolean(),
  /** Maximum size of a receipt or another image, in bytes. */
  receiptBytesMax: z.int(),
  /**
   * The numbers of visible testimonials and sponsors. A page reserves space for them while they
   * load.
   */
  endorsementCounts: z.object({ testimonial: z.int(), sponsor: z.int() }),
  /**
   * The numbers of the ledgers of the site, the first one first. Missing if the site has only one.
   * Public figures are sums over all of them.
   */
  ledgers: z.array(z.int()).optional(),
})
export type PublicSettings = z.infer<typeof PublicSettings>

export const getPublicSettings = declareEndpoint({
  method: 'GET',
  path: '/public/settings',
  access: 'anyone',
  response: z.object({ settings: PublicSettings }),
  failures: [...LEDGER_QUERY_FAILURES],
})
