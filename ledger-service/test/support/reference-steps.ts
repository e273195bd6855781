import { createHash } from 'node:crypto'
import type { Command, CommandApproval, CommandType, DataOf } from '@cairn/ledger-contracts'
import { commandData, formatCanonicalRequest } from '@cairn/ledger-contracts'
import fc from 'fast-check'
import type { ReferenceBooks } from './reference-books.ts'
import { createPlanTerms, createRules, THRESHOLD_MINOR } from './reference-terms.ts'
import { createClosedMonth, VERIFIER_KEY } from './rule-book.ts'

/**
 * A command type and random numbers, from which a command is created. The numbers select known ids
 * for the command.
 */
export interface Step {
  readonly type: CommandType | 'time passes'
  readonly one: number
  readonly other: number
  readonly amountMinor: bigint
  readonly flag: boolean
}

// No caller may submit `ReplaceSigningKey`, so the ledger and the model are not compared for this
// command.
const TYPES = (Object.keys(commandData) as CommandType[]).filter(
  (type) => type !== 'ReplaceSigningKey' && type !== 'ActivateModel',
)
/**
 * Types that are chosen more often, because other commands depend on them or because most of their
 * commands are refused.
 */
const OFTEN: readonly Step['type'][] = [
  'ActivateInvestor',
  'ActivateInvestor',
  'FundWallet',
  'FundWallet',
  'DefinePlan',
  'RequestDeposit',
  'RequestWithdrawal',
  'RequestWithdrawal',
  'OpenInvestment',
  'OpenInvestment',
  'ApproveDeposit',
  'ApproveWithdrawal',
  'SetMoneyRules',
  'ReverseDeposit',
  'ReverseWithdrawal',
  'AccrueThrough',
  'CancelInvestment',
  'PayReferralBonus',
  'PayReferralBonus',
  'SetDualControl',
  'SetDualControl',
  'SetDualControl',
  'time passes',
  'time passes',
  'time passes',
]
const SHA256 = 'a'.repeat(64)
const OTHER_SHA256 = 'b'.repeat(64)
const FILES = [SHA256, OTHER_SHA256] as const
const HOUR_MS = 3_600_000
const ADMINS = ['ada', 'grace', 'alan'] as const
const WALLETS = ['balance', 'profit', 'referral'] as const

export const steps: fc.Arbitrary<Step> = fc.record({
  type: fc.constantFrom(...TYPES, ...OFTEN),
  one: fc.nat(1_000),
  other: fc.nat(1_000),
  // Some amounts equal the threshold. All other amounts are odd, so that their fees must be
  // rounded.
  amountMinor: fc.oneof(
    fc.constant(THRESHOLD_MINOR),
    fc.integer({ min: 1, max: 40 }).map((thousands) => BigInt(thousands) * 1_000n),
    fc.integer({ min: 1, max: 40_000 }).map(BigInt),
  ),
  flag: fc.boolean(),
})

const first = { one: 0, other: 3, amountMinor: 500_000n, flag: true }

/**
 * The first steps of each run, which create investors, a plan, open requests and a fee. No approver exists
 * yet, so none of these commands has an approval.
 */
export const beginning: readonly Step[] = [
  { ...first, type: 'DefinePlan', one: 402 },
  // The first line of a file of opening balances is recorded before the first request or movement
  // of money. The ledger then accepts the remaining lines of this file after money has moved.
  { ...first, type: 'ImportBalance', other: 0, flag: false },
  { ...first, type: 'FundReserve' },
  // With fees, a cooling-off period and referral bonuses.
  { ...first, type: 'SetMoneyRules', one: 103, flag: false },
  ...[0, 1, 2].flatMap((one): Step[] => [
    { ...first, type: 'ActivateInvestor', one, other: one },
    { ...first, type: 'FundWallet', one, other: 0 },
  ]),
  ...[0, 1].flatMap((one): Step[] => [
    { ...first, type: 'RequestDeposit', one, amountMinor: 30_000n },
    { ...first, type: 'RequestWithdrawal', one, amountMinor: 10_000n },
  ]),
  // The fee can then be moved to the reserve.
  { ...first, type: 'ApproveDeposit', one: 0, other: 0, amountMinor: 30_000n },
]

/**
 * The server adds two approvers, after which dual control is required. Few runs would otherwise add
 * two of them and then record a command that two approvers have approved.
 */
export const twoApprovers: readonly Step[] = [0, 1].map(
  (one): Step => ({ ...first, type: 'AddApprover', one, other: 6 }),
)

/** Returns the command of a step, or null for a step in which only time passes. */
export function createCommand(
  step: Step,
  { books, newId }: { books: ReferenceBooks; newId(): string },
): Command | null {
  if (step.type === 'time passes') return null
  const { type, one, other } = step
  const admin = `admin:${ADMINS[one % 3]}`
  const chosen = other % 7 === 6 ? 'system:server' : one % 5 === 4 ? 'system:other' : admin
  // Administrators request withdrawals only for investors whose standing is not active.
  const actor = type === 'RequestWithdrawal' && step.flag ? 'user:one' : chosen
  const data = createDraft(step, books, newId)[type]()
  const rest = { actor, key: null, requestId: null, effectiveAt: null }
  const approval = createApproval(step, { books, request: { type, data, effectiveAt: null } })
  // The cast is safe, because the type selects the draft.
  return { type, data, ...rest, approval } as unknown as Command
}

/** False if the approvals belong to another command. */
export function isApprovedAsIs({ one }: Step): boolean {
  return one % 13 !== 12
}

/**
 * Returns null, or one or two approvals. Most approvals were given in the last hours and are valid.
 */
function createApproval(
  step: Step,
  {
    books,
    request,
  }: { books: ReferenceBooks; request: Parameters<typeof formatCanonicalRequest>[0] },
): CommandApproval | null {
  const { one, other } = step
  const names = ADMINS.filter((_, index) => index !== one % 3).slice(0, other % 3)
  if (names.length === 0) return null
  const text = isApprovedAsIs(step) ? formatCanonicalRequest(request) : 'another request'
  // An approval that is 200 hours old is too old. Half an hour is added to the time of each
  // approval, so no approval has the same time as a command. An approval that is 0 hours old is
  // therefore half an hour in the future.
  const hours = one % 11 === 10 ? 200 : one % 11 === 9 ? 0 : 1 + (other % 20)
  const approvedAt = new Date(computeTime(books) - hours * HOUR_MS + HOUR_MS / 2).toISOString()
  return {
    commandSha256: createHash('sha256').update(text).digest('hex'),
    approvals: names.map((name) => ({ approver: `admin:${name}`, approvedAt })),
  }
}

/**
 * Returns the time that the reference model uses. The clock of the ledger is at most a few minutes
 * ahead of this time.
 */
export function computeTime(books: ReferenceBooks): number {
  return books.hour * HOUR_MS + HOUR_MS / 6
}

type Drafts = { [Type in CommandType]: () => DataOf<Type> }

function createDraft(step: Step, books: ReferenceBooks, newId: () => string): Drafts {
  const { one, other, amountMinor, flag } = step
  /** Returns a known id in most cases, otherwise a new id. */
  const pickId = (ids: readonly string[], by: number) =>
    by % 17 === 16 ? newId() : (ids[by % Math.max(1, ids.length)] ?? newId())
  const listRequests = (kind: string) =>
    [...books.requests].flatMap(([id, request]) => (request.kind === kind ? [id] : []))
  const investorId = pickId([...books.investors.keys()], one)
  const planId = pickId([...books.plans.keys()], other)
  const investmentId = pickId([...books.investments.keys()], other)
  const [dueBonusId = null] = [...books.investments].flatMap(([id, { bonusDueHour }]) =>
    bonusDueHour === null ? [] : [id],
  )
  const deposit = { transactionId: pickId(listRequests('deposit'), other) }
  const withdrawal = { transactionId: pickId(listRequests('withdrawal'), other) }
  const wallet = WALLETS[other % 3] ?? 'balance'
  const to = flag ? ('success' as const) : ('declined' as const)
  const paymentOptionId = one % 3 === 0 ? 'bank' : null
  const transactionId = newId()
  const [reason, note, category, payoutReference] = ['reference', null, null, null]
  const bank = { bankAccountId: 'b', bankAccountSha256: SHA256 }
  const receipt = { method: 'bank', receiptId: 'r', receiptSha256: SHA256 }
  return {
    DefinePlan: () => ({ planId: flag ? newId() : planId, terms: createPlanTerms(step) }),
    SetMoneyRules: () => ({ rules: createRules(step) }),
    ActivateInvestor: () => ({
      investorId: flag ? newId() : investorId,
      referrerId: other % 2 === 0 ? investorId : null,
    }),
    SuspendInvestor: () => ({ investorId, standing: flag ? 'deactivated' : 'denied' }),
    CloseInvestor: () => ({ investorId }),
    RequestDeposit: () => ({ transactionId, investorId, amountMinor, paymentOptionId, ...receipt }),
    ApproveDeposit: () => ({
      ...deposit,
      paymentOptionId,
      approvedMinor: flag
        ? amountMinor
        : (books.requests.get(deposit.transactionId)?.amountMinor ?? amountMinor),
    }),
    DeclineDeposit: () => ({ ...deposit, reason }),
    CancelDeposit: () => ({ ...deposit, investorId }),
    ReverseDeposit: () => ({ ...deposit, to, paymentOptionId, reason }),
    RequestWithdrawal: () => ({ transactionId, investorId, amountMinor, source: wallet, ...bank }),
    ApproveWithdrawal: () => ({
      ...withdrawal,
      paymentOptionId,
      payoutReference,
      bankAccountSha256: one % 19 === 18 ? OTHER_SHA256 : SHA256,
    }),
    HoldWithdrawal: () => ({ ...withdrawal, reason }),
    DeclineWithdrawal: () => ({ ...withdrawal, reason }),
    CancelWithdrawal: () => ({ ...withdrawal, investorId }),
    ReverseWithdrawal: () => ({ ...withdrawal, to, paymentOptionId, reason }),
    FundWallet: () => ({ transactionId, investorId, wallet, amountMinor, category, reason }),
    FundReserve: () => ({ transactionId, amountMinor, note }),
    WithdrawReserve: () => ({ transactionId, amountMinor, note }),
    SweepToReserve: () => ({
      transactionId,
      from: flag ? 'fees' : 'income',
      amountMinor: BigInt(1 + (one % 100)),
    }),
    ActivateModel: () => ({ version: 2 }),
    ChooseCurrency: () => ({ asset: flag ? 'EUR/2' : 'USD/2' }),
    MoveAsset: () => ({
      asset: one % 7 === 6 ? 'USD/2' : (['EUR/2', 'BTC/8'][other % 2] ?? 'EUR/2'),
      from: flag ? 'reserve' : 'cash:bank',
      to: one % 5 === 4 ? 'cash:bank' : flag ? 'cash:other' : 'reserve',
      amountMinor,
      note,
    }),
    PermitImport: () => ({ fileSha256: FILES[other % 2] ?? SHA256 }),
    ImportBalance: () => ({
      fileSha256: FILES[other % 2] ?? SHA256,
      line: 1 + (one % 6),
      lastLine: one % 9 === 8 ? 5 : 4,
      account: flag
        ? `investor:${investorId}:${wallet}`
        : (['reserve', 'fees', 'cash:bank', 'marketing'][one % 4] ?? 'reserve'),
      asset: one % 5 === 4 ? 'EUR/2' : 'USD/2',
      isCredit: other % 5 < 4,
      amountMinor,
    }),
    AdjustWallet: () => ({
      transactionId,
      investorId,
      wallet,
      amountMinor,
      isCredit: flag,
      reason,
    }),
    OpenInvestment: () => {
      const planVersion = flag ? 1 + (one % 2) : null
      return { investmentId: newId(), investorId, planId, amountMinor, planVersion }
    },
    AccrueThrough: () => ({ investmentId, units: 1 + (one % 4) }),
    DenyInvestment: () => ({ investmentId, reason }),
    CancelInvestment: () => ({
      investmentId,
      investorId: (flag ? books.investments.get(investmentId)?.investorId : null) ?? investorId,
    }),
    PayReferralBonus: () => ({ investmentId: (flag ? dueBonusId : null) ?? investmentId }),
    AddApprover: () => ({ approverId: ADMINS[(one + other) % 3] ?? 'ada' }),
    RemoveApprover: () => ({ approverId: ADMINS[(one + other) % 3] ?? 'ada', reason }),
    SetDualControl: () => ({ mode: flag ? 'required' : 'single' }),
    SealAudit: () => ({ count: 1 + one, head: 'a'.repeat(64) }),
    CloseMonth: () =>
      createClosedMonth(['2026-05', '2026-06', '2026-07'][one % 3] ?? '2026-05', 1 + (other % 5)),
    PermitKeyRotation: () => ({ verifierKey: VERIFIER_KEY }),
    ReplaceSigningKey: () => ({ handovers: ['not a handover'], reason: null }),
  }
}
