import { z } from 'zod'
import { Wallet } from './accounts.ts'
import { Id } from './ids.ts'
import { PositiveMinor, Ppm } from './money.ts'

const Reason = z.string().trim().min(1).max(500)
const Opaque = z.string().min(1).max(200)
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const OptionId = z.string().regex(/^[0-9a-z-]{1,64}$/)

export const PlanTerms = z.object({
  name: z.string().trim().min(1).max(120).nullable(),
  duration: z.int().min(1).max(100_000),
  unit: z.enum(['hours', 'days']),
  minimumMinor: PositiveMinor,
  maximumMinor: PositiveMinor.nullable(),
  /** Profit over the whole term. */
  profitPpm: Ppm,
  referralBonusPpm: Ppm,
  returnPrincipal: z.boolean(),
  isArchived: z.boolean(),
})
export type PlanTerms = z.infer<typeof PlanTerms>

export const MoneyRules = z.object({
  depositFeePpm: Ppm.max(100_000),
  withdrawalFeePpm: Ppm.max(100_000),
  minimumDepositMinor: PositiveMinor,
  minimumWithdrawalMinor: PositiveMinor,
  coverageMode: z.enum(['disclose', 'strict']),
  isReferralEnabled: z.boolean(),
  /** From this amount on two administrators approve; null: one is enough. */
  approvalThresholdMinor: PositiveMinor.nullable(),
  /** For so long an investor may take a purchase back; 0: not at all. */
  coolingOffHours: z.int().min(0).max(720),
  /**
   * Limits of what one investor requests in a day and in a month of UTC; null: no limit. A command that
   * omits one is invalid: a caller that does not know a limit must not remove it.
   */
  dailyWithdrawalLimitMinor: PositiveMinor.nullable(),
  monthlyWithdrawalLimitMinor: PositiveMinor.nullable(),
})
export type MoneyRules = z.infer<typeof MoneyRules>

/** What each command carries; the answer to each is one event or one refusal. */
export const commandData = {
  DefinePlan: z.object({
    planId: Id,
    terms: PlanTerms,
    /** The version that was looked at; left out: whichever there is. */
    seen: z.int().positive().optional(),
  }),
  SetMoneyRules: z.object({ rules: MoneyRules }),
  ActivateInvestor: z.object({ investorId: Id, referrerId: Id.nullable() }),
  SuspendInvestor: z.object({ investorId: Id, standing: z.enum(['deactivated', 'denied']) }),
  CloseInvestor: z.object({ investorId: Id }),
  RequestDeposit: z.object({
    transactionId: Id,
    investorId: Id,
    amountMinor: PositiveMinor,
    method: Opaque,
    /** Null: the method is ambiguous, the reviewer decides. */
    paymentOptionId: OptionId.nullable(),
    receiptId: Opaque,
    receiptSha256: Sha256,
  }),
  ApproveDeposit: z.object({
    transactionId: Id,
    paymentOptionId: OptionId.nullable(),
    /** What really arrived; null: what was asked for. */
    approvedMinor: PositiveMinor.nullable(),
  }),
  DeclineDeposit: z.object({ transactionId: Id, reason: Reason.nullable() }),
  CancelDeposit: z.object({ transactionId: Id, investorId: Id }),
  /** A decision is never edited: it is reversed by postings of its own. */
  ReverseDeposit: z.object({
    transactionId: Id,
    to: z.enum(['success', 'declined']),
    paymentOptionId: OptionId.nullable(),
    reason: Reason,
  }),
  RequestWithdrawal: z.object({
    transactionId: Id,
    investorId: Id,
    source: Wallet,
    amountMinor: PositiveMinor,
    bankAccountId: Opaque,
    bankAccountSha256: Sha256,
  }),
  ApproveWithdrawal: z.object({
    transactionId: Id,
    /** The payment option whose cash pays; null: the operator's treasury. */
    paymentOptionId: OptionId.nullable(),
    payoutReference: z.string().trim().max(120).nullable(),
  }),
  DeclineWithdrawal: z.object({ transactionId: Id, reason: Reason.nullable() }),
  CancelWithdrawal: z.object({ transactionId: Id, investorId: Id }),
  ReverseWithdrawal: z.object({
    transactionId: Id,
    to: z.enum(['success', 'declined']),
    paymentOptionId: OptionId.nullable(),
    reason: Reason,
  }),
  FundWallet: z.object({
    transactionId: Id,
    investorId: Id,
    wallet: Wallet,
    amountMinor: PositiveMinor,
    category: z.string().trim().max(60).nullable(),
    reason: Reason.nullable(),
  }),
  FundReserve: z.object({
    transactionId: Id,
    amountMinor: PositiveMinor,
    note: z.string().trim().max(500).nullable(),
  }),
  /** Never more than the reserve holds: what is committed to running investments stays. */
  WithdrawReserve: z.object({
    transactionId: Id,
    amountMinor: PositiveMinor,
    note: z.string().trim().max(500).nullable(),
  }),
  /** What the operator has earned becomes reserve. */
  SweepToReserve: z.object({
    transactionId: Id,
    from: z.enum(['fees', 'income']),
    amountMinor: PositiveMinor,
  }),
  /** Ends a withdrawal from the reserve, or a sweep, that waits for a second administrator. */
  RejectReserveMovement: z.object({ transactionId: Id, reason: Reason.nullable() }),
  /** A correction: money into a wallet, or out of it. */
  ProposeAdjustment: z.object({
    transactionId: Id,
    investorId: Id,
    wallet: Wallet,
    amountMinor: PositiveMinor,
    isCredit: z.boolean(),
    reason: Reason,
  }),
  ApplyAdjustment: z.object({ transactionId: Id }),
  RejectAdjustment: z.object({ transactionId: Id, reason: Reason }),
  OpenInvestment: z.object({
    investmentId: Id,
    investorId: Id,
    planId: Id,
    amountMinor: PositiveMinor,
    /** The version of the terms that the investor saw; another one in force is refused. */
    planVersion: z.int().min(1).nullable(),
  }),
  /** Credits the profit of all units up to `units`; the last one also completes the investment. */
  AccrueThrough: z.object({ investmentId: Id, units: z.int().min(1).max(100_000) }),
  DenyInvestment: z.object({ investmentId: Id, reason: Reason }),
  /** Within the cooling-off time, by the investor. */
  CancelInvestment: z.object({ investmentId: Id, investorId: Id }),
} as const

export type CommandType = keyof typeof commandData
export type DataOf<Type extends CommandType> = z.infer<(typeof commandData)[Type]>

const envelope = {
  /** Who asks: `user:<id>`, `admin:<id>` or `system:<name>`. Idempotency keys are theirs alone. */
  actor: z.string().regex(/^(user|admin|system):[0-9a-z._-]{1,64}$/),
  /** An idempotency key, kept for ever; null: a new request. */
  key: z.string().min(1).max(255).nullable(),
  requestId: z.string().min(1).max(100).nullable(),
  /** When it happened in the world; null: when it is recorded. Never in the future. */
  effectiveAt: z.iso.datetime({ precision: 3 }).nullable(),
}

export type Command = {
  [Type in CommandType]: {
    type: Type
    data: DataOf<Type>
    actor: string
    key: string | null
    requestId: string | null
    effectiveAt: string | null
  }
}[CommandType]

export const CommandEnvelope = z.strictObject({
  type: z.enum(Object.keys(commandData) as [CommandType, ...CommandType[]]),
  data: z.unknown(),
  ...envelope,
})

// Made once: a schema compiles itself at its first use, which costs more than what it parses.
const strictData = Object.fromEntries(
  Object.entries(commandData).map(([type, schema]) => [type, schema.strict()]),
) as { [Type in CommandType]: (typeof commandData)[Type] }

/** A malformed command throws a ZodError: that is a 400, not a refusal. */
export function parseCommand(input: unknown): Command {
  const { type, data, ...rest } = CommandEnvelope.parse(input)
  // The schema was chosen by the type itself, so the pair is one member of the union.
  return { type, data: strictData[type].parse(data), ...rest } as Command
}

export const COMMANDS_PER_REQUEST_MAX = 1_000
export const Lane = z.enum(['interactive', 'bulk'])
export type Lane = z.infer<typeof Lane>

export const CommandsRequest = z.strictObject({
  ledger: z.int().min(1),
  lane: Lane,
  /** Only how each ended, without its event: for whoever sends many and counts. */
  brief: z.boolean().default(false),
  commands: z.array(z.unknown()).min(1).max(COMMANDS_PER_REQUEST_MAX),
})
