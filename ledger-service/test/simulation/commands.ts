import { type Command, type CommandType, type DataOf, Wallet } from '@cairn/ledger-contracts'
import { createClosedMonth, VERIFIER_KEY } from '../support/rule-book.ts'
import { ADMINS, createApproval } from './approvals.ts'
import { createImportedLine } from './imported-lines.ts'
import { createKnownIds, type KnownIds } from './known-ids.ts'
import { formatSequentialId } from './sequential-id.ts'
import { createRandomRules, starterPlan } from './terms.ts'
import type { World } from './world.ts'

/** A source of random commands, which use known and unknown ids. */
export interface CommandSource extends Pick<KnownIds, 'addRecordedIds' | 'buildAndForgetIds'> {
  next(): Command
  /** Like `next`, but returns a command of a type that is often recorded. */
  pickLikelyCommand(): Command
}

type Draft = { [Type in CommandType]: { type: Type; data: DataOf<Type> } }[CommandType]

const HASH = 'a'.repeat(64)
const OTHER_HASH = 'b'.repeat(64)
const MONTHS = ['2026-01', '2026-02', '2026-03']

export function createCommandSource({ random, clock }: World): CommandSource {
  const known = createKnownIds()
  let made = 0
  let sealed = 0
  /**
   * The proportion of commands with an idempotency key. It differs between runs, because only
   * refusals with a key are stored.
   */
  const keyed = random.pick([0.8, 0.2])

  /** Returns a mostly increasing count. The ledger refuses a count that does not increase. */
  function createSealCount(): number {
    sealed = Math.max(1, sealed + random.pick([5, 1, 0, -1]))
    return sealed
  }

  function createId(): string {
    made += 1
    return formatSequentialId(made)
  }

  /** Returns a known id in most cases, often the latest id, and sometimes a new id. */
  const pickId = (ids: readonly string[]) => {
    const latest = ids.at(-1)
    if (latest === undefined || random.drawChance(0.03)) return createId()
    return random.drawChance(0.3) ? latest : random.pick(ids)
  }
  const pickAmount = () => BigInt(1 + random.pickInt(40)) * 1_000n
  const pickInvestor = () => ({ investorId: pickId(known.investors) })
  /** Returns a new id in most cases, and sometimes an id that already exists. */
  const pickNewId = (ids: readonly string[]) =>
    ids.length > 0 && random.drawChance(0.1) ? random.pick(ids) : createId()
  const createRequest = () => ({
    transactionId: pickNewId(random.pick([known.deposits, known.withdrawals])),
    ...pickInvestor(),
    amountMinor: pickAmount(),
  })
  const pickWallet = () => random.pick(Wallet.options)
  const pickDeposit = () => ({ transactionId: pickId(known.deposits) })
  const pickWithdrawal = () => ({ transactionId: pickId(known.withdrawals) })
  const pickDecision = () => random.pick(['success', 'declined'] as const)
  const createImport = (): Draft => {
    const wallet = `investor:${pickInvestor().investorId}:${pickWallet()}`
    return { type: 'ImportBalance', data: createImportedLine(random, wallet) }
  }
  const paymentOptionId = null
  const note = null
  const reason = 'simulated'

  const drafts: readonly (readonly [weight: number, draft: () => Draft])[] = [
    [2, () => ({ type: 'DefinePlan', data: { planId: pickPlanId(), terms: starterPlan } })],
    [1, () => ({ type: 'SetMoneyRules', data: { rules: createRandomRules(random) } })],
    [
      8,
      () => ({
        type: 'ActivateInvestor',
        data: { investorId: createId(), referrerId: pickReferrer() },
      }),
    ],
    [1, () => ({ type: 'ActivateInvestor', data: { ...pickInvestor(), referrerId: null } })],
    [1, () => ({ type: 'SuspendInvestor', data: { ...pickInvestor(), standing: 'deactivated' } })],
    [1, () => ({ type: 'CloseInvestor', data: pickInvestor() })],
    [
      12,
      () => ({
        type: 'FundWallet',
        data: { ...createRequest(), wallet: pickWallet(), category: null, reason },
      }),
    ],
    [
      2,
      () => ({
        type: 'FundReserve',
        data: { transactionId: createId(), amountMinor: pickAmount(), note },
      }),
    ],
    [
      1,
      () => ({
        type: 'WithdrawReserve',
        data: { transactionId: createId(), amountMinor: pickAmount(), note },
      }),
    ],
    [
      1,
      () => ({
        type: 'SweepToReserve',
        data: { transactionId: createId(), from: 'fees', amountMinor: 100n },
      }),
    ],
    [6, () => ({ type: 'ActivateModel', data: { version: 2 + random.pickInt(3) } })],
    [1, () => ({ type: 'ChooseCurrency', data: { asset: random.pick(['EUR/2', 'USD/2']) } })],
    [
      3,
      () => ({
        type: 'MoveAsset',
        data: {
          asset: random.pick(['EUR/2', 'BTC/8', 'USD/2']),
          from: random.pick(['cash:bank', 'reserve']),
          to: random.pick(['reserve', 'cash:bank']),
          amountMinor: pickAmount(),
          note,
        },
      }),
    ],
    [2, () => ({ type: 'PermitImport', data: { fileSha256: random.pick([HASH, OTHER_HASH]) } })],
    [4, createImport],
    [
      9,
      () => ({
        type: 'RequestDeposit',
        data: {
          ...createRequest(),
          method: 'bank',
          paymentOptionId,
          receiptId: 'r',
          receiptSha256: HASH,
        },
      }),
    ],
    [
      7,
      () => ({
        type: 'ApproveDeposit',
        data: { ...pickDeposit(), paymentOptionId, approvedMinor: pickAmount() },
      }),
    ],
    [2, () => ({ type: 'DeclineDeposit', data: { ...pickDeposit(), reason } })],
    [1, () => ({ type: 'CancelDeposit', data: { ...pickDeposit(), ...pickInvestor() } })],
    [
      2,
      () => ({
        type: 'ReverseDeposit',
        data: { ...pickDeposit(), to: pickDecision(), paymentOptionId, reason },
      }),
    ],
    [
      16,
      () => ({
        type: 'RequestWithdrawal',
        data: {
          ...createRequest(),
          source: pickWallet(),
          bankAccountId: 'b',
          bankAccountSha256: HASH,
        },
      }),
    ],
    [
      7,
      () => ({
        type: 'ApproveWithdrawal',
        data: {
          ...pickWithdrawal(),
          paymentOptionId,
          payoutReference: null,
          bankAccountSha256: random.drawChance(0.05) ? OTHER_HASH : HASH,
        },
      }),
    ],
    [1, () => ({ type: 'HoldWithdrawal', data: { ...pickWithdrawal(), reason } })],
    [2, () => ({ type: 'AddApprover', data: { approverId: random.pick(ADMINS) } })],
    [1, () => ({ type: 'RemoveApprover', data: { approverId: random.pick(ADMINS), reason } })],
    [
      1,
      () => ({
        type: 'SetDualControl',
        data: { mode: random.pick(['single', 'required'] as const) },
      }),
    ],
    [1, () => ({ type: 'PermitKeyRotation', data: { verifierKey: VERIFIER_KEY } })],
    [1, () => ({ type: 'CloseMonth', data: createClosedMonth(random.pick(MONTHS)) })],
    [1, () => ({ type: 'SealAudit', data: { count: createSealCount(), head: HASH } })],
    [
      2,
      () => ({
        type: 'AdjustWallet',
        data: {
          ...createRequest(),
          wallet: pickWallet(),
          isCredit: random.drawChance(0.5),
          reason,
        },
      }),
    ],
    [3, () => ({ type: 'DeclineWithdrawal', data: { ...pickWithdrawal(), reason } })],
    [1, () => ({ type: 'CancelWithdrawal', data: { ...pickWithdrawal(), ...pickInvestor() } })],
    [
      2,
      () => ({
        type: 'ReverseWithdrawal',
        data: { ...pickWithdrawal(), to: pickDecision(), paymentOptionId, reason },
      }),
    ],
    [
      8,
      () => ({
        type: 'OpenInvestment',
        data: {
          investmentId: pickNewId(known.investments),
          ...pickInvestor(),
          planId: pickId(known.plans),
          amountMinor: pickAmount(),
          planVersion: null,
        },
      }),
    ],
    [
      6,
      () => ({
        type: 'AccrueThrough',
        data: { investmentId: pickId(known.investments), units: 1 + random.pickInt(4) },
      }),
    ],
    [
      1,
      () => ({ type: 'DenyInvestment', data: { investmentId: pickId(known.investments), reason } }),
    ],
    [
      1,
      () => ({
        type: 'CancelInvestment',
        data: { investmentId: pickId(known.investments), ...pickInvestor() },
      }),
    ],
    [
      3,
      () => ({
        type: 'PayReferralBonus',
        data: { investmentId: pickId(known.investments) },
      }),
    ],
  ]
  const bag = drafts.flatMap(([weight, draft]) => Array.from({ length: weight }, () => draft))
  const likely = drafts.flatMap(([weight, draft]) => (weight >= 8 && weight < 16 ? [draft] : []))

  const pickPlanId = () => (random.drawChance(0.5) ? createId() : pickId(known.plans))
  const pickReferrer = () => (random.drawChance(0.5) ? pickId(known.investors) : null)

  function create(from: readonly (() => Draft)[]): Command {
    made += 1
    const draft = createFirstCommand(made) ?? random.pick(from)()
    // Each command has its own actor, so that an event shows which command caused it.
    const actor = `system:wish-${made}`
    // The command line activates versions of the rules without an idempotency key.
    const isKeyed = random.drawChance(keyed) && draft.type !== 'ActivateModel'
    const key = isKeyed ? `key-${made}` : null
    const named = random.drawChance(0.1)
      ? { externalId: `order-${made}`, metadata: { made: '1' } }
      : {}
    const command = { ...draft, ...named, actor, key, requestId: null, effectiveAt: null }
    // The cast is safe, because each draft contains a type and its data.
    return {
      ...command,
      approval: createApproval(command as Command, { random, clock }),
    } as Command
  }

  return {
    next: () => create(bag),
    pickLikelyCommand: () => create(likely),
    addRecordedIds: known.addRecordedIds,
    buildAndForgetIds: known.buildAndForgetIds,
  }

  /**
   * Returns the first commands: investors, plans and opening balances. Returns null after these
   * commands.
   */
  function createFirstCommand(place: number): Draft | null {
    if (place > 20) return null
    // Opening balances are imported before the first request or movement of money.
    if (place > 12) return createImport()
    if (place <= 2) return { type: 'DefinePlan', data: { planId: createId(), terms: starterPlan } }
    return { type: 'ActivateInvestor', data: { investorId: createId(), referrerId: null } }
  }
}
