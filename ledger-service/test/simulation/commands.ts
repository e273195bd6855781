import type { Command, CommandType, DataOf } from '@cairn/ledger-contracts'
import { hashRequest } from '../../src/log/envelope.ts'
import { plainRules, starterPlan } from './terms.ts'
import type { World } from './world.ts'

/** Random commands about existing and about unknown ids. */
export interface CommandSource {
  next(): Command
  /** Remembers the ids of a recorded command, so that later commands can use them. */
  happened(command: Command): void
}

type Draft = { [Type in CommandType]: { type: Type; data: DataOf<Type> } }[CommandType]

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz'
const HASH = 'a'.repeat(64)
const OTHER_HASH = 'b'.repeat(64)
const HOUR_MS = 3_600_000
const ADMINS = ['ada', 'grace', 'alan']
const WALLETS = ['balance', 'profit', 'referral'] as const

export function createCommandSource({ random, clock }: World): CommandSource {
  const known = {
    investors: [] as string[],
    plans: [] as string[],
    deposits: [] as string[],
    withdrawals: [] as string[],
    investments: [] as string[],
  }
  let made = 0
  let sealed = 0
  /** The share of commands with an idempotency key. Refusals without a key are not stored. */
  const keyed = random.pick([0.8, 0.2])

  /** Grows, except for some that the ledger refuses. */
  function nextSeal(): number {
    sealed = Math.max(1, sealed + random.pick([5, 1, 0, -1]))
    return sealed
  }

  /** 20 characters of which the last ten differ, because the reference is derived from them. */
  function newId(): string {
    made += 1
    let rest = made
    let text = ''
    for (let index = 0; index < 10; index += 1) {
      text = CROCKFORD.charAt(rest % 32) + text
      rest = Math.floor(rest / 32)
    }
    return `${'0'.repeat(10)}${text}`
  }

  /** Returns mostly an existing id, often the latest one, sometimes an unknown one. */
  const some = (ids: readonly string[]) => {
    const latest = ids.at(-1)
    if (latest === undefined || random.chance(0.03)) return newId()
    return random.chance(0.3) ? latest : random.pick(ids)
  }
  const amount = () => BigInt(1 + random.int(40)) * 1_000n
  const person = () => ({ investorId: some(known.investors) })
  const fresh = () => ({ transactionId: newId(), ...person(), amountMinor: amount() })
  const wallet = () => random.pick(WALLETS)
  const deposit = () => ({ transactionId: some(known.deposits) })
  const withdrawal = () => ({ transactionId: some(known.withdrawals) })
  const decision = () => random.pick(['success', 'declined'] as const)
  const paymentOptionId = null
  const note = null
  const reason = 'simulated'

  const drafts: readonly (readonly [weight: number, draft: () => Draft])[] = [
    [2, () => ({ type: 'DefinePlan', data: { planId: planId(), terms: starterPlan } })],
    [1, () => ({ type: 'SetMoneyRules', data: { rules: rules() } })],
    [
      8,
      () => ({ type: 'ActivateInvestor', data: { investorId: newId(), referrerId: referrer() } }),
    ],
    [1, () => ({ type: 'ActivateInvestor', data: { ...person(), referrerId: null } })],
    [1, () => ({ type: 'SuspendInvestor', data: { ...person(), standing: 'deactivated' } })],
    [1, () => ({ type: 'CloseInvestor', data: person() })],
    [
      12,
      () => ({
        type: 'FundWallet',
        data: { ...fresh(), wallet: wallet(), category: null, reason },
      }),
    ],
    [
      2,
      () => ({
        type: 'FundReserve',
        data: { transactionId: newId(), amountMinor: amount(), note },
      }),
    ],
    [
      1,
      () => ({
        type: 'WithdrawReserve',
        data: { transactionId: newId(), amountMinor: amount(), note },
      }),
    ],
    [
      1,
      () => ({
        type: 'SweepToReserve',
        data: { transactionId: newId(), from: 'fees', amountMinor: 100n },
      }),
    ],
    [
      9,
      () => ({
        type: 'RequestDeposit',
        data: { ...fresh(), method: 'bank', paymentOptionId, receiptId: 'r', receiptSha256: HASH },
      }),
    ],
    [
      7,
      () => ({
        type: 'ApproveDeposit',
        data: { ...deposit(), paymentOptionId, approvedMinor: amount() },
      }),
    ],
    [2, () => ({ type: 'DeclineDeposit', data: { ...deposit(), reason } })],
    [1, () => ({ type: 'CancelDeposit', data: { ...deposit(), ...person() } })],
    [
      2,
      () => ({
        type: 'ReverseDeposit',
        data: { ...deposit(), to: decision(), paymentOptionId, reason },
      }),
    ],
    [
      16,
      () => ({
        type: 'RequestWithdrawal',
        data: { ...fresh(), source: wallet(), bankAccountId: 'b', bankAccountSha256: HASH },
      }),
    ],
    [
      7,
      () => ({
        type: 'ApproveWithdrawal',
        data: {
          ...withdrawal(),
          paymentOptionId,
          payoutReference: null,
          bankAccountSha256: random.chance(0.05) ? OTHER_HASH : HASH,
        },
      }),
    ],
    [1, () => ({ type: 'HoldWithdrawal', data: { ...withdrawal(), reason } })],
    [2, () => ({ type: 'AddApprover', data: { approverId: random.pick(ADMINS) } })],
    [1, () => ({ type: 'RemoveApprover', data: { approverId: random.pick(ADMINS), reason } })],
    [
      1,
      () => ({
        type: 'SetDualControl',
        data: { mode: random.pick(['single', 'required'] as const) },
      }),
    ],
    [1, () => ({ type: 'SealAudit', data: { count: nextSeal(), head: HASH } })],
    [
      2,
      () => ({
        type: 'AdjustWallet',
        data: { ...fresh(), wallet: wallet(), isCredit: random.chance(0.5), reason },
      }),
    ],
    [3, () => ({ type: 'DeclineWithdrawal', data: { ...withdrawal(), reason } })],
    [1, () => ({ type: 'CancelWithdrawal', data: { ...withdrawal(), ...person() } })],
    [
      2,
      () => ({
        type: 'ReverseWithdrawal',
        data: { ...withdrawal(), to: decision(), paymentOptionId, reason },
      }),
    ],
    [
      8,
      () => ({
        type: 'OpenInvestment',
        data: {
          investmentId: newId(),
          ...person(),
          planId: some(known.plans),
          amountMinor: amount(),
          planVersion: null,
        },
      }),
    ],
    [
      6,
      () => ({
        type: 'AccrueThrough',
        data: { investmentId: some(known.investments), units: 1 + random.int(4) },
      }),
    ],
    [
      1,
      () => ({ type: 'DenyInvestment', data: { investmentId: some(known.investments), reason } }),
    ],
    [
      1,
      () => ({
        type: 'CancelInvestment',
        data: { investmentId: some(known.investments), ...person() },
      }),
    ],
    [
      3,
      () => ({
        type: 'PayReferralBonus',
        data: { investmentId: some(known.investments) },
      }),
    ],
  ]
  const bag = drafts.flatMap(([weight, draft]) => Array.from({ length: weight }, () => draft))

  const planId = () => (random.chance(0.5) ? newId() : some(known.plans))
  const referrer = () => (random.chance(0.5) ? some(known.investors) : null)
  const rules = () => ({
    ...plainRules,
    withdrawalFeePpm: random.int(50_000),
    approvalThresholdMinor: random.chance(0.3) ? 20_000n : null,
    coolingOffHours: random.int(3),
    dailyWithdrawalLimitMinor: random.chance(0.3) ? 40_000n : null,
    monthlyWithdrawalLimitMinor: random.chance(0.3) ? 60_000n : null,
  })

  return {
    next: () => {
      made += 1
      const draft = firstOf(made) ?? random.pick(bag)()
      // Each command has its own actor, so that an event identifies its command.
      const actor = `system:wish-${made}`
      const key = random.chance(keyed) ? `key-${made}` : null
      const command = { ...draft, actor, key, requestId: null, effectiveAt: null }
      // The cast holds because type and data are created as a pair.
      return { ...command, approval: approvalOf(command as Command) } as Command
    },
    happened: ({ type, data }) => {
      if (type === 'ActivateInvestor') known.investors.push(data.investorId)
      if (type === 'DefinePlan') known.plans.push(data.planId)
      if (type === 'RequestDeposit') known.deposits.push(data.transactionId)
      if (type === 'RequestWithdrawal') known.withdrawals.push(data.transactionId)
      if (type === 'OpenInvestment') known.investments.push(data.investmentId)
    },
  }

  /** Mostly one or two approvals of this command, some of them too old or from the future. */
  function approvalOf(command: Command): Command['approval'] {
    const names = ADMINS.filter(() => random.chance(0.5))
    if (names.length === 0) return null
    const ageMs = random.int(200 * HOUR_MS) - HOUR_MS
    const approvedAt = new Date(clock.now() - ageMs).toISOString()
    const { requestHash } = hashRequest(command)
    const commandSha256 = random.chance(0.05) ? OTHER_HASH : requestHash.toString('hex')
    return {
      commandSha256,
      approvals: names.map((name) => ({ approver: `admin:${name}`, approvedAt })),
    }
  }

  /** The initial investors and plans. */
  function firstOf(place: number): Draft | null {
    if (place > 12) return null
    if (place <= 2) return { type: 'DefinePlan', data: { planId: newId(), terms: starterPlan } }
    return { type: 'ActivateInvestor', data: { investorId: newId(), referrerId: null } }
  }
}
