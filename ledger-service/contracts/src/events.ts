import { z } from 'zod'
import { Wallet } from './accounts.ts'
import { DualControlMode } from './approvals.ts'
import { Asset } from './assets.ts'
import { Id } from './ids.ts'
import { Minor } from './money.ts'

/** An integer, stored as a string of digits and used as a number. */
const Whole = z
  .union([z.string().regex(/^\d{1,15}$/), z.int()])
  .transform((value) => Number(value))
  .pipe(z.int())

// These schemas share no fields with the schemas of commands. The limits of a command may change;
// the limits of stored events may not change.
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
/** The referral bonus that is taken back when an investment is denied or cancelled. */
const returnedBonus = {
  bonusTo: Id.nullable(),
  bonusReturnedMinor: Minor,
  /** Pending withdrawals of the referrer that are declined, because they contain the bonus. */
  declinedWithdrawals: z.array(
    z.object({ transactionId: Id, amountMinor: Minor, feeMinor: Minor }),
  ),
  /**
   * The part of the bonus that the referrer has already withdrawn. The marketing account bears this
   * loss.
   */
  bonusLostMinor: Minor,
}
const BonusForfeit = z.enum(['investor-not-active', 'referrer-not-active', 'earlier-bonus-lost'])

/** The schema of the data of each event type. A new meaning always gets a new type. */
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
  /**
   * `amountMinor` is the amount that the operator received. The fee uses the rate that was fixed at
   * the request.
   */
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
  /** From this event on, two administrators must approve the withdrawal, whatever its amount. */
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
  /** The currency of the ledger. Before this event it is `DEFAULT_CURRENCY`. */
  CurrencyChosen: z.object({ asset: Asset }),
  /**
   * All events after this event are decided by this version of the rules, until a newer version is
   * activated. Before the first event of this type, version 1 applies.
   */
  ModelActivated: z.object({ version: Whole }),
  /** A movement of the operator's money in an asset other than the currency of the ledger. */
  AssetMoved: z.object({
    asset: Asset,
    from: z.string(),
    to: z.string(),
    amountMinor: Minor,
    note: z.string().nullable(),
  }),
  /** The file of opening balances with this hash is permitted for import within seven days. */
  ImportPermitted: z.object({ fileSha256: z.string() }),
  /** A balance of another system, from the given line of the file with this hash. */
  BalanceImported: z.object({
    fileSha256: z.string(),
    line: Whole,
    lastLine: Whole,
    account: z.string(),
    asset: Asset,
    isCredit: z.boolean(),
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
    /** The end of the cooling-off period, when the bonus becomes due. Null if there is no bonus. */
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
  /**
   * The investor cancelled in the cooling-off period. The principal returns to the investor; profit
   * and unspent bonus return to the operator.
   */
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
    /** The number of units that have ended. Their profit is credited before the investment ends. */
    units: Whole,
    profitMinor: Minor,
    creditedMinor: Minor,
    /**
     * The principal, if the plan returns the principal. Otherwise the principal less all credited
     * profit, but at least zero; the operator keeps the difference.
     */
    returnedMinor: Minor,
    /** Promised profit that was not credited. It moves from `committed` to `reserve`. */
    releasedMinor: Minor,
    ...returnedBonus,
    reason: z.string(),
  }),
  /**
   * The referrer gets the receipt of this event, so the event does not name the investor who was
   * referred.
   */
  ReferralBonusPaid: z.object({
    investmentId: Id,
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
  /**
   * The mode changed. When `ApproverAdded` adds the second approver, it sets `required` without
   * this event.
   */
  DualControlSet: z.object({ mode: DualControlMode }),
  /**
   * The signing key `verifierKey` is permitted to be replaced within seven days after this event.
   */
  KeyRotationPermitted: z.object({ verifierKey: z.string() }),
  /**
   * Seals the first `count` rows of the gateway's audit log. `head` is the hash of row number
   * `count`.
   */
  AuditSealed: z.object({ count: Whole, head: z.string() }),
  /**
   * A month has ended. `size` and `root` describe the log at the end of the month. `totals`
   * contains the sum of each account kind over these `size` events. `state` contains the root of
   * all projections after `state.size` events. `rules` are the money rules in force when the month
   * was closed. `liabilities` is null, because no proof of liabilities exists yet.
   */
  MonthClosed: z.object({
    month: z.string(),
    size: Whole,
    root: z.string(),
    totals: z.record(z.string(), Minor),
    liabilities: z.null(),
    state: z.object({ size: Whole, salt: z.string(), root: z.string() }),
    rules,
  }),
  /** The last of `handovers` names the key that signs from now on. */
  SigningKeyReplaced: z.object({ handovers: z.array(z.string()) }),
  /**
   * An older state was restored and events were lost. The last of `handovers` contains the sizes
   * and roots before and after the loss. The handovers before it are changes of the key that were
   * lost with the events.
   */
  LogForked: z.object({ handovers: z.array(z.string()), reason: z.string() }),
} as const

export type EventType = keyof typeof eventData
export type EventDataOf<Type extends EventType> = z.infer<(typeof eventData)[Type]>

/** The type and data of an event that has no sequence number yet. */
export type Fact = { [Type in EventType]: { type: Type; data: EventDataOf<Type> } }[EventType]
