import { z } from 'zod'
import { Wallet } from './accounts.ts'
import { MoneyRules, PlanTerms } from './commands.ts'
import { Id } from './ids.ts'
import { Minor } from './money.ts'

/** A whole number: digits in the stored bytes, which hold no JSON numbers, a number in memory. */
const Whole = z
  .union([z.int(), z.string().regex(/^\d{1,15}$/)])
  .transform((value) => Number(value))
  .pipe(z.int())

const terms = PlanTerms.extend({ duration: Whole, profitPpm: Whole, referralBonusPpm: Whole })
const rules = MoneyRules.extend({
  depositFeePpm: Whole,
  withdrawalFeePpm: Whole,
  coolingOffHours: Whole,
})

const decidedDeposit = { transactionId: Id, investorId: Id, amountMinor: Minor, feeMinor: Minor }
const decidedWithdrawal = { ...decidedDeposit, source: Wallet }
const reason = z.string().nullable()

/** What each event of the log says. A meaning never changes: new meaning, new event type. */
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
  /** The first of two approvals: nothing moves yet. */
  DepositApprovalRecorded: z.object({ transactionId: Id, amountMinor: Minor }),
  /** The amount is what arrived, its fee at the rate quoted at the request. */
  DepositApproved: z.object({ ...decidedDeposit, requestedMinor: Minor, cash: z.string() }),
  DepositDeclined: z.object({ ...decidedDeposit, reason }),
  DepositCancelled: z.object(decidedDeposit),
  /** The first of two administrators who reverse a decision: nothing moves yet. */
  DepositReversalRecorded: z.object({
    ...{ transactionId: Id, investorId: Id, amountMinor: Minor },
    to: z.enum(['success', 'declined']),
    reason: z.string(),
  }),
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
  WithdrawalApprovalRecorded: z.object({ transactionId: Id }),
  WithdrawalApproved: z.object({
    ...decidedWithdrawal,
    cash: z.string(),
    payoutReference: z.string().nullable(),
  }),
  WithdrawalDeclined: z.object({ ...decidedWithdrawal, reason }),
  WithdrawalCancelled: z.object(decidedWithdrawal),
  WithdrawalReversalRecorded: z.object({
    ...{ transactionId: Id, investorId: Id, amountMinor: Minor },
    to: z.enum(['success', 'declined']),
    reason: z.string(),
  }),
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
  /** By the first of two administrators: nothing moves yet. */
  ReserveWithdrawalProposed: z.object({
    transactionId: Id,
    amountMinor: Minor,
    note: z.string().nullable(),
  }),
  ReserveWithdrawn: z.object({
    transactionId: Id,
    amountMinor: Minor,
    note: z.string().nullable(),
  }),
  /** By the first of two administrators: nothing moves yet. */
  SweepProposed: z.object({
    transactionId: Id,
    from: z.enum(['fees', 'income']),
    amountMinor: Minor,
  }),
  /** A proposed withdrawal from the reserve, or a sweep, that does not happen. */
  ReserveMovementRejected: z.object({ transactionId: Id, reason }),
  SweptToReserve: z.object({
    transactionId: Id,
    from: z.enum(['fees', 'income']),
    amountMinor: Minor,
  }),
  AdjustmentProposed: z.object({
    transactionId: Id,
    investorId: Id,
    wallet: Wallet,
    amountMinor: Minor,
    isCredit: z.boolean(),
    reason: z.string(),
  }),
  AdjustmentApplied: z.object({
    transactionId: Id,
    investorId: Id,
    wallet: Wallet,
    amountMinor: Minor,
    isCredit: z.boolean(),
  }),
  AdjustmentRejected: z.object({ transactionId: Id, investorId: Id, reason: z.string() }),
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
  /** The last accrual of an investment, and its end. */
  InvestmentMatured: z.object({
    investmentId: Id,
    investorId: Id,
    units: Whole,
    profitMinor: Minor,
    creditedMinor: Minor,
    principalMinor: Minor,
    isPrincipalReturned: z.boolean(),
  }),
  /** Taken back in time: nothing stays of it, profit and bonus included. */
  InvestmentCancelled: z.object({
    investmentId: Id,
    investorId: Id,
    principalMinor: Minor,
    profitReturnedMinor: Minor,
    releasedMinor: Minor,
    bonusReturnedMinor: Minor,
    bonusTo: Id.nullable(),
  }),
  /** The first of two administrators who end an investment: it goes on until the second one. */
  InvestmentDenialRecorded: z.object({
    investmentId: Id,
    investorId: Id,
    principalMinor: Minor,
    reason: z.string(),
  }),
  InvestmentDenied: z.object({
    investmentId: Id,
    investorId: Id,
    principalMinor: Minor,
    /** Promised and not yet credited: back from committed to the reserve. */
    releasedMinor: Minor,
    bonusReturnedMinor: Minor,
    bonusTo: Id.nullable(),
    reason: z.string(),
  }),
} as const

export type EventType = keyof typeof eventData
export type EventDataOf<Type extends EventType> = z.infer<(typeof eventData)[Type]>

/** An event's type and what it says, still without its place in the log. */
export type Fact = { [Type in EventType]: { type: Type; data: EventDataOf<Type> } }[EventType]

/** Reads what an event says; a type this version does not know throws. */
export function parseFact(type: string, data: unknown): Fact {
  const schema = (eventData as Record<string, z.ZodType>)[type]
  if (schema === undefined) throw new Error(`unknown event type ${type}`)
  // The schema was chosen by the type itself.
  return { type, data: schema.parse(data) } as Fact
}
