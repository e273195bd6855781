import { z } from 'zod'
import { Wallet } from './accounts.ts'
import { CommandApproval, DualControlMode } from './approvals.ts'
import { Asset } from './assets.ts'
import { Id } from './ids.ts'
import { ExternalId, Metadata } from './metadata.ts'
import { Minor, PositiveMinor } from './money.ts'
import { Month } from './month-queries.ts'
import { ImportableAccount, OpeningLine } from './opening-balances.ts'
import { MoneyRules, PlanTerms } from './terms.ts'

const Reason = z.string().trim().min(1).max(500)
const Opaque = z.string().min(1).max(200)
const Count = z.int().min(1).max(999_999_999_999_999)
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)
const VerifierKeyText = z.string().regex(/^[^+\s]{1,200}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$/)
const ApproverId = z.string().regex(/^[0-9a-z._-]{1,64}$/)
const OptionId = z.string().regex(/^[0-9a-z-]{1,64}$/)
/** An account that may hold an asset other than the currency of the ledger. */
const AssetAccount = z.string().regex(/^(?:reserve|cash:[0-9a-z-]{1,64})$/)

/**
 * The schema of the data of each command. The ledger answers each command with an event or a
 * refusal.
 */
export const commandData = {
  DefinePlan: z.object({
    planId: Id,
    terms: PlanTerms,
    /**
     * The plan version that the author edited. If `seen` is omitted, the current version is not
     * checked.
     */
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
    /**
     * Null if `method` does not determine the payment option. The reviewer then selects a payment
     * option.
     */
    paymentOptionId: OptionId.nullable(),
    receiptId: Opaque,
    receiptSha256: Sha256,
  }),
  ApproveDeposit: z.object({
    transactionId: Id,
    paymentOptionId: OptionId.nullable(),
    /** The amount that the operator received. */
    approvedMinor: PositiveMinor,
  }),
  DeclineDeposit: z.object({ transactionId: Id, reason: Reason.nullable() }),
  CancelDeposit: z.object({ transactionId: Id, investorId: Id }),
  /** Reverses a decision with opposite postings. The event of the decision remains unchanged. */
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
    /** The payment option whose cash account is debited. Null means the account `treasury`. */
    paymentOptionId: OptionId.nullable(),
    payoutReference: z.string().trim().max(120).nullable(),
    /** The hash of the current bank account. It must equal the hash in the withdrawal request. */
    bankAccountSha256: Sha256,
  }),
  /** Requires two administrators to approve this pending withdrawal, whatever its amount. */
  HoldWithdrawal: z.object({ transactionId: Id, reason: Reason }),
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
  /**
   * Takes money from the reserve. The command is refused if the amount exceeds the reserve.
   * Committed profit is not part of the reserve.
   */
  WithdrawReserve: z.object({
    transactionId: Id,
    amountMinor: PositiveMinor,
    note: z.string().trim().max(500).nullable(),
  }),
  /** Moves the operator's fees or income to the reserve. */
  SweepToReserve: z.object({
    transactionId: Id,
    from: z.enum(['fees', 'income']),
    amountMinor: PositiveMinor,
  }),
  /**
   * Chooses the currency of the ledger. The command is refused once money has moved, because the
   * choice would change the currency of existing amounts.
   */
  ChooseCurrency: z.object({ asset: Asset }),
  /**
   * Activates the next version of the rules. A process that does not know this version answers the
   * command with a failure.
   */
  ActivateModel: z.object({ version: z.int().min(2).max(1_000_000) }),
  /**
   * Moves money of the operator in an asset other than the currency of the ledger. Only a cash
   * account may become negative.
   */
  MoveAsset: z.object({
    asset: Asset,
    from: AssetAccount,
    to: AssetAccount,
    amountMinor: PositiveMinor,
    note: z.string().trim().max(500).nullable(),
  }),
  /**
   * Permits the import of the file of opening balances with this hash within the next seven days.
   * While dual control is required, a file without a permission cannot be imported.
   */
  PermitImport: z.object({ fileSha256: Sha256 }),
  /**
   * Records the balance that one line of a file of opening balances contains. The lines of a file
   * are recorded in order, each line once, up to `lastLine`.
   */
  ImportBalance: z.object({
    fileSha256: Sha256,
    line: OpeningLine,
    lastLine: OpeningLine,
    account: ImportableAccount,
    asset: Asset,
    isCredit: z.boolean(),
    amountMinor: PositiveMinor,
  }),
  /** Corrects a wallet with a credit or a debit. */
  AdjustWallet: z.object({
    transactionId: Id,
    investorId: Id,
    wallet: Wallet,
    amountMinor: PositiveMinor,
    isCredit: z.boolean(),
    reason: Reason,
  }),
  OpenInvestment: z.object({
    investmentId: Id,
    investorId: Id,
    planId: Id,
    amountMinor: PositiveMinor,
    /**
     * The version of the terms that the investor saw. The command is refused if the plan has a
     * different version now.
     */
    planVersion: z.int().min(1).nullable(),
  }),
  /** Credits the profit of all units up to `units`. The last unit completes the investment. */
  AccrueThrough: z.object({ investmentId: Id, units: z.int().min(1).max(100_000) }),
  DenyInvestment: z.object({ investmentId: Id, reason: Reason }),
  /** Cancels an investment within the cooling-off period, at the request of its investor. */
  CancelInvestment: z.object({ investmentId: Id, investorId: Id }),
  /** Pays a referral bonus that is due, or records why it is not paid. */
  PayReferralBonus: z.object({ investmentId: Id }),
  /**
   * Makes `admin:<approverId>` an approver. In the first 24 hours, a new approver can act alone
   * below the threshold, but cannot be one of two approvers.
   */
  AddApprover: z.object({ approverId: ApproverId }),
  RemoveApprover: z.object({ approverId: ApproverId, reason: Reason }),
  SetDualControl: z.object({ mode: DualControlMode }),
  /**
   * Permits the replacement of the signing key `verifierKey` within the next seven days. The
   * command `rotate-signing-key` on the server needs this permission to create the new key.
   */
  PermitKeyRotation: z.object({ verifierKey: VerifierKeyText }),
  /** Records the hash of row `count` of the gateway's audit chain. */
  SealAudit: z.object({ count: Count, head: Sha256 }),
  /**
   * Closes a month that has ended. The ledger submits this command for itself, after it has signed
   * the trial balance of the month.
   */
  CloseMonth: z.object({
    month: Month,
    /**
     * The number of events in the log at the end of the month. `root` is the root of these events.
     */
    size: Count,
    root: Sha256,
    /** The sum of each kind of account at the end of the month. */
    totals: z.record(z.string(), Minor),
    /**
     * `root` is the root of the rows of all projections after `size` events. `size` is at least the
     * number of events at the end of the month. `proofs/state-root.ts` computes the root with
     * `salt`.
     */
    state: z.object({ size: Count, salt: Sha256, root: Sha256 }),
  }),
  /**
   * Records that a new signing key replaces the present key. `reason` says why events were lost
   * before the change; it is null if no events were lost. `handovers` are the handovers that the
   * log does not contain yet, oldest first, in the format of `proof/handover.ts`.
   */
  ReplaceSigningKey: z.object({
    handovers: z.array(z.string().max(2_000)).min(1).max(16),
    reason: Reason.nullable(),
  }),
} as const

export type CommandType = keyof typeof commandData
export type DataOf<Type extends CommandType> = z.infer<(typeof commandData)[Type]>

const envelope = {
  /**
   * The author: `user:<id>`, `admin:<id>` or `system:<name>`. Two authors can use the same
   * idempotency key.
   */
  actor: z.string().regex(/^(user|admin|system):[0-9a-z._-]{1,64}$/),
  /** The idempotency key, which never expires. A command without a key (null) is always new. */
  key: z.string().min(1).max(255).nullable(),
  requestId: z.string().min(1).max(100).nullable(),
  /**
   * The time at which the fact happened, which must not be in the future. Null means the recorded
   * time.
   */
  effectiveAt: z.iso.datetime({ precision: 3 }).nullable(),
  /**
   * The approvals of administrators other than the actor. Omitted or null if there are no
   * approvals.
   */
  approval: CommandApproval.nullable().optional(),
  /** Omitted or null if the command has no external id. Must not contain personal data. */
  externalId: ExternalId.nullable().optional(),
  /** Omitted or null if the command has no metadata. Must not contain personal data. */
  metadata: Metadata.nullable().optional(),
}

export type Command = {
  [Type in CommandType]: {
    type: Type
    data: DataOf<Type>
    actor: string
    key: string | null
    requestId: string | null
    effectiveAt: string | null
    approval?: CommandApproval | null | undefined
    externalId?: string | null | undefined
    metadata?: Metadata | null | undefined
  }
}[CommandType]

export const CommandEnvelope = z.strictObject({
  type: z.enum(Object.keys(commandData) as [CommandType, ...CommandType[]]),
  data: z.unknown(),
  ...envelope,
})

// These schemas are built once, because zod compiles a schema at its first use.
const strictData = Object.fromEntries(
  Object.entries(commandData).map(([type, schema]) => [type, schema.strict()]),
) as { [Type in CommandType]: (typeof commandData)[Type] }

/** Throws a ZodError for a malformed command, which the service answers with 400. */
export function parseCommand(input: unknown): Command {
  const { type, data, ...rest } = CommandEnvelope.parse(input)
  // The cast is safe, because `type` selects the schema. The type and the parsed data therefore
  // belong to the same command.
  return { type, data: strictData[type].parse(data), ...rest } as Command
}
