/** The projections of the events, as queries return them. */
import { z } from 'zod'
import { Id } from './ids.ts'
import { Minor } from './money.ts'
import { MoneyRules, PlanTerms } from './terms.ts'
import { CountedWithdrawals } from './withdrawal-allowance.ts'

const Instant = z.string()
const Seq = Minor

export const Plan = PlanTerms.extend({
  planId: Id,
  version: z.int(),
  definedAt: Instant,
})
export type Plan = z.infer<typeof Plan>

export const RulesInForce = MoneyRules.extend({ version: z.int() })
export type RulesInForce = z.infer<typeof RulesInForce>

const WalletAmounts = z.object({ balance: Minor, profit: Minor, referral: Minor })

export const InvestorStanding = z.enum(['active', 'deactivated', 'denied', 'closed'])

export const InvestorSummary = z.object({
  investorId: Id,
  standing: InvestorStanding,
  referrerId: Id.nullable(),
  available: WalletAmounts,
  held: WalletAmounts,
  principalMinor: Minor,
  totals: z.object({
    /** The sum of approved deposits, before fees. */
    depositedMinor: Minor,
    withdrawnMinor: Minor,
    investmentCount: z.int(),
    activeInvestmentCount: z.int(),
    investedMinor: Minor,
    /** All profit credited so far. */
    profitMinor: Minor,
    /** All referral bonuses credited so far. */
    referralMinor: Minor,
  }),
  /** The amounts that count against the withdrawal limits. */
  counted: CountedWithdrawals,
})
export type InvestorSummary = z.infer<typeof InvestorSummary>

export const TransactionType = z.enum(['deposit', 'withdrawal', 'transfer'])
/** Administrators decline requests; the investor who made a request cancels it. */
export const TransactionStatus = z.enum(['pending', 'success', 'declined', 'cancelled'])
/**
 * Administrators deny investments; the investor can cancel an investment in the cooling-off period.
 */
export const InvestmentStatus = z.enum(['active', 'completed', 'denied', 'cancelled'])
export const TransactionPurpose = z.enum([
  'deposit',
  'withdrawal',
  'funding',
  'reserve',
  'reserve-withdrawal',
  'sweep',
  'adjustment',
  'purchase',
  'principal-return',
  'referral-bonus',
  'bonus-return',
])

export const LedgerTransaction = z.object({
  transactionId: Id,
  reference: z.string(),
  type: TransactionType,
  purpose: TransactionPurpose,
  status: TransactionStatus,
  /** Null for a transaction of the operator. */
  investorId: Id.nullable(),
  /** The approved amount, or the requested amount until the approval. */
  amountMinor: Minor,
  requestedMinor: Minor,
  feeMinor: Minor,
  netMinor: Minor,
  /** True if the transaction increases the investor's available money. */
  isCredit: z.boolean(),
  /**
   * The payment option type of a deposit, the source of a withdrawal, or the wallet of a transfer.
   */
  method: z.string(),
  paymentOptionId: z.string().nullable(),
  receiptId: z.string().nullable(),
  receiptSha256: z.string().nullable(),
  bankAccountId: z.string().nullable(),
  bankAccountSha256: z.string().nullable(),
  /** The reason why two administrators must approve this withdrawal; null if it is not on hold. */
  holdReason: z.string().nullable(),
  investmentId: Id.nullable(),
  reason: z.string().nullable(),
  payoutReference: z.string().nullable(),
  requestedBy: z.string(),
  decidedBy: z.string().nullable(),
  createdAt: Instant,
  decidedAt: Instant.nullable(),
  seq: Seq,
  lastSeq: Seq,
})
export type LedgerTransaction = z.infer<typeof LedgerTransaction>

export const LedgerInvestment = z.object({
  investmentId: Id,
  reference: z.string(),
  investorId: Id,
  planId: Id,
  planVersion: z.int(),
  planName: z.string().nullable(),
  status: InvestmentStatus,
  principalMinor: Minor,
  promisedMinor: Minor,
  creditedMinor: Minor,
  unit: z.enum(['hours', 'days']),
  duration: z.int(),
  unitsDone: z.int(),
  returnPrincipal: z.boolean(),
  bonusMinor: Minor,
  bonusTo: Id.nullable(),
  /**
   * The time at which the bonus will be paid. Null if the bonus was paid or forfeited, or if there
   * is no bonus.
   */
  bonusDueAt: Instant.nullable(),
  reason: z.string().nullable(),
  startedAt: Instant,
  expiresAt: Instant,
  nextDueAt: Instant.nullable(),
  endedAt: Instant.nullable(),
  seq: Seq,
})
export type LedgerInvestment = z.infer<typeof LedgerInvestment>
