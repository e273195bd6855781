import { z } from 'zod'
import { Wallet } from './accounts.ts'
import { DualControlMode } from './approvals.ts'
import { Id } from './ids.ts'
import { Minor } from './money.ts'

/** An integer: a string of digits in the stored bytes (no JSON numbers), a number in memory. */
const Whole = z
  .union([z.int(), z.string().regex(/^\d{1,15}$/)])
  .transform((value) => Number(value))
  .pipe(z.int())

// Event schemas share no fields with commands: the bounds of a command may change, stored events
// may not.
const terms = z.object({
  name: z.string().nullable(),
  duration: Whole,
  unit: z.enum(['hours', 'days']),
  minimumMinor: Minor,
  maximumMinor: Minor.nullable(),
  profitPpm: Whole,
  referralBonusPpm: Whole,
  returnPrincipal: z.boolean(),
  isArchived: z.boolean(),
})
const rules = z.object({
  depositFeePpm: Whole,
  withdrawalFeePpm: Whole,
  minimumDepositMinor: Minor,
  minimumWithdrawalMinor: Minor,
  coverageMode: z.enum(['disclose', 'strict']),
  isReferralEnabled: z.boolean(),
  approvalThresholdMinor: Minor.nullable(),
  coolingOffHours: Whole,
  dailyWithdrawalLimitMinor: Minor.nullable(),
  monthlyWithdrawalLimitMinor: Minor.nullable(),
})

const decidedDeposit = { transactionId: Id, investorId: Id, amountMinor: Minor, feeMinor: Minor }
const decidedWithdrawal = { ...decidedDeposit, source: Wallet }
const reason = z.string().nullable()
/** A bonus that the end of an investment takes back from the referrer. */
const returnedBonus = {
  bonusTo: Id.nullable(),
  bonusReturnedMinor: Minor,
  /** Pending withdrawals of the referrer that are declined, because they hold the bonus. */
  declinedWithdrawals: z.array(
    z.object({ transactionId: Id, amountMinor: Minor, feeMinor: Minor }),
  ),
  /** The part that the referrer has already withdrawn: a loss of the marketing account. */
  bonusLostMinor: Minor,
}
const BonusForfeit = z.enum(['investor-not-active', 'referrer-not-active', 'earlier-bonus-lost'])

/**
 * The data of each event type. The meaning of a type never changes; a new meaning is a new type.
 */
export const eventData = {
  PlanDefined: z.object({ planId: Id, version: Whole, terms }),
  MoneyRulesSet: z.object({ version: Whole, rules }),
  InvestorActivated: z.object({ investorId: Id, referrerId: Id.nullable() }),
  InvestorSuspended: z.object({ investorId: Id, standing: z.enum(['deactivated', 'denied']) }),
  InvestorClosed: z.object({ investorId: Id }),
  DepositRequested: z.object({
    ...decidedDeposit,
    feePpm: Whole,
    method: z.string(),
    paymentOptionId: z.string().nullable(),
    receiptId: z.string(),
    receiptSha256: z.string(),
  }),
  /** The amount is the one that arrived; the fee uses the rate fixed at the request. */
  DepositApproved: z.object({ ...decidedDeposit, requestedMinor: Minor, cash: z.string() }),
  DepositDeclined: z.object({ ...decidedDeposit, reason }),
  DepositCancelled: z.object(decidedDeposit),
  DepositReversed: z.object({
    ...decidedDeposit,
    to: z.enum(['success', 'declined']),
    cash: z.string(),
    reason: z.string(),
  }),
  WithdrawalRequested: z.object({
    ...decidedWithdrawal,
    bankAccountId: z.string(),
    bankAccountSha256: z.string(),
  }),
  WithdrawalApproved: z.object({
    ...decidedWithdrawal,
    cash: z.string(),
    payoutReference: z.string().nullable(),
  }),
  /** Two administrators must approve it from now on, whatever its amount. */
  WithdrawalHeld: z.object({ transactionId: Id, investorId: Id, reason: z.string() }),
  WithdrawalDeclined: z.object({ ...decidedWithdrawal, reason }),
  WithdrawalCancelled: z.object(decidedWithdrawal),
  WithdrawalReversed: z.object({
    ...decidedWithdrawal,
    to: z.enum(['success', 'declined']),
    cash: z.string(),
    reason: z.string(),
  }),
  WalletFunded: z.object({
    transactionId: Id,
    investorId: Id,
    wallet: Wallet,
    amountMinor: Minor,
    category: z.string().nullable(),
    reason,
  }),
  ReserveFunded: z.object({
    transactionId: Id,
    amountMinor: Minor,
    note: z.string().nullable(),
  }),
  ReserveWithdrawn: z.object({
    transactionId: Id,
    amountMinor: Minor,
    note: z.string().nullable(),
  }),
  SweptToReserve: z.object({
    transactionId: Id,
    from: z.enum(['fees', 'income']),
    amountMinor: Minor,
  }),
  WalletAdjusted: z.object({
    transactionId: Id,
    investorId: Id,
    wallet: Wallet,
    amountMinor: Minor,
    isCredit: z.boolean(),
    reason: z.string(),
  }),
  InvestmentOpened: z.object({
    investmentId: Id,
    investorId: Id,
    planId: Id,
    planVersion: Whole,
    planName: z.string().nullable(),
    principalMinor: Minor,
    promisedMinor: Minor,
    unit: z.enum(['hours', 'days']),
    duration: Whole,
    returnPrincipal: z.boolean(),
    bonusMinor: Minor,
    bonusTo: Id.nullable(),
    /** The end of the cooling-off period; null: there is none, and this event pays the bonus. */
    bonusDueAt: z.string().nullable(),
    startedAt: z.string(),
    expiresAt: z.string(),
  }),
  ProfitAccrued: z.object({
    investmentId: Id,
    investorId: Id,
    units: Whole,
    profitMinor: Minor,
    creditedMinor: Minor,
  }),
  /** The last accrual of an investment, which also ends it. */
  InvestmentMatured: z.object({
    investmentId: Id,
    investorId: Id,
    units: Whole,
    profitMinor: Minor,
    creditedMinor: Minor,
    principalMinor: Minor,
    isPrincipalReturned: z.boolean(),
  }),
  /** Cancelled within the cooling-off period: principal, profit and unspent bonus are returned. */
  InvestmentCancelled: z.object({
    investmentId: Id,
    investorId: Id,
    principalMinor: Minor,
    profitReturnedMinor: Minor,
    releasedMinor: Minor,
    ...returnedBonus,
  }),
  InvestmentDenied: z.object({
    investmentId: Id,
    investorId: Id,
    principalMinor: Minor,
    /** Units that have ended; their profit is credited first. */
    units: Whole,
    profitMinor: Minor,
    creditedMinor: Minor,
    /**
     * The principal; if the plan does not return it, the principal less all credited profit, at
     * least zero. The rest goes to the operator, as at the end of the term.
     */
    returnedMinor: Minor,
    /** Promised profit that was not credited; it moves from `committed` to `reserve`. */
    releasedMinor: Minor,
    ...returnedBonus,
    reason: z.string(),
  }),
  ReferralBonusPaid: z.object({
    investmentId: Id,
    investorId: Id,
    bonusTo: Id,
    bonusMinor: Minor,
  }),
  ReferralBonusForfeited: z.object({
    investmentId: Id,
    investorId: Id,
    bonusTo: Id,
    bonusMinor: Minor,
    cause: BonusForfeit,
  }),
  ApproverAdded: z.object({ approverId: z.string() }),
  ApproverRemoved: z.object({ approverId: z.string(), reason: z.string() }),
  /** Not recorded when `ApproverAdded` adds the second approver, which also sets `required`. */
  DualControlSet: z.object({ mode: DualControlMode }),
  /** The first `count` rows of the gateway's audit log have this head of their hash chain. */
  AuditSealed: z.object({ count: Whole, head: z.string() }),
} as const

export type EventType = keyof typeof eventData
export type EventDataOf<Type extends EventType> = z.infer<(typeof eventData)[Type]>

/** The type and data of an event that has no sequence number yet. */
export type Fact = { [Type in EventType]: { type: Type; data: EventDataOf<Type> } }[EventType]

/** Parses the data of an event. Throws for an unknown type or for data that does not match it. */
export function parseFact(type: string, data: unknown): Fact {
  const schema = (eventData as Record<string, z.ZodType>)[type]
  if (schema === undefined) throw new Error(`unknown event type ${type}`)
  // The cast holds because `type` selects the schema.
  return { type, data: schema.parse(data) } as Fact
}
