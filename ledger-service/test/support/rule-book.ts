import {
  type Approval,
  type Command,
  type CommandType,
  createId,
  type DataOf,
  type EventDataOf,
  type EventType,
  getAccountKind,
  type MoneyRules,
  type PlanTerms,
  type Posting,
} from '@cairn/ledger-contracts'
import { expect } from 'vitest'
import { balanceTable } from '../../src/domain/accounts/account.ts'
import { model as ruleBook } from '../../src/domain/model.ts'
import { rulesTable } from '../../src/domain/rules/money-rules.ts'
import { hashRequest } from '../../src/log/envelope.ts'
import type { Decision, Model, PlacedEvent } from '../../src/log/model.ts'
import { type Cache, createCache } from '../../src/log/view.ts'

/** Creates the data of `CloseMonth` for a month that ended after two events. */
export function createClosedMonth(month: string, stateSize = 3): DataOf<'CloseMonth'> {
  return {
    month,
    size: 2,
    root: 'a'.repeat(64),
    totals: { balance: 100n, adjustments: -100n },
    state: { size: stateSize, salt: 'b'.repeat(64), root: 'c'.repeat(64) },
  }
}

const START_MS = Date.parse('2026-03-01T09:00:00.000Z')

/** Runs the deciders and evolvers of a model in memory, without a database. */
export interface RuleBook {
  readonly cache: Cache
  nowMs(): number
  advanceTime(ms: number): void
  id(): string
  /** Decides a command and applies the event, unless the command is refused. */
  when<Type extends CommandType>(type: Type, data: DataOf<Type>, actor?: string): Outcome
  /**
   * Decides a command that a process submits with approvals. Each name in `approvers` is an
   * administrator who approves at the current time of the book.
   */
  approved<Type extends CommandType>(
    type: Type,
    data: DataOf<Type>,
    approvers: readonly (string | Approval)[],
  ): Outcome
  submit(command: Command): Outcome
  balance(account: string): bigint
  events(): readonly PlacedEvent[]
}

export interface Outcome {
  readonly decision: Decision
  expectRecorded<Type extends EventType>(
    type: Type,
    data: Partial<EventDataOf<Type>>,
    postings?: Readonly<Record<string, bigint>>,
  ): void
  expectRefused(code: string, details?: Readonly<Record<string, string>>): void
}

export function openRuleBook(model: Model = ruleBook): RuleBook {
  const cache = createCache(model)
  cache.load(rulesTable, '', null)
  const events: PlacedEvent[] = []
  let nowMs = START_MS
  let made = 0

  function submitApprovedCommand(
    type: CommandType,
    data: unknown,
    approvers: readonly (string | Approval)[],
  ): Outcome {
    const approvedAt = new Date(nowMs).toISOString()
    const actor = 'system:change-requests'
    const command = { type, data, actor, key: null, requestId: null, effectiveAt: null } as Command
    const approvals = approvers.map((given) =>
      typeof given === 'string' ? { approver: `admin:${given}`, approvedAt } : given,
    )
    const commandSha256 = hashRequest(command).requestHash.toString('hex')
    return submit({ ...command, approval: { commandSha256, approvals } })
  }

  function submitAs(type: CommandType, data: unknown, actor = 'system:test'): Outcome {
    // The cast is safe, because the parameters require data of this type.
    return submit({ type, data, actor, key: null, requestId: null, effectiveAt: null } as Command)
  }

  function submit(command: Command): Outcome {
    const { actor } = command
    for (
      let needs = model.needs(command, cache);
      cache.listMissingNeeds(needs, true).length > 0;
    ) {
      for (const { table, key } of cache.listMissingNeeds(needs, true)) cache.load(table, key, null)
      needs = model.needs(command, cache)
    }
    const { requestHash } = hashRequest(command)
    const context = { actor, recordedAtMs: nowMs, effectiveAtMs: nowMs, requestHash }
    const decision = model.decide(command, cache, context)
    if (!('refusal' in decision)) {
      const { fact, postings, effectiveAtMs, control = null } = decision
      const seq = BigInt(events.length)
      const event = { fact, postings, effectiveAtMs, seq, actor, control, recordedAtMs: nowMs }
      model.evolve(event, cache)
      events.push(event)
    }
    return createOutcome(decision)
  }

  return {
    cache,
    when: submitAs,
    approved: submitApprovedCommand,
    submit,
    nowMs: () => nowMs,
    advanceTime: (ms) => {
      nowMs += ms
    },
    id: () => {
      made += 1
      return createId(nowMs + made)
    },
    balance: (account) => cache.peek(balanceTable, account)?.balanceMinor ?? 0n,
    events: () => events,
  }
}

function createOutcome(decision: Decision): Outcome {
  return {
    decision,
    expectRecorded: (type, data, postings) => {
      if ('refusal' in decision) throw new Error(`refused: ${decision.refusal.code}`)
      expect(decision.fact).toMatchObject({ type, data })
      if (postings !== undefined) expect(sumByName(decision.postings)).toEqual(postings)
    },
    expectRefused: (code, details = {}) => {
      if (!('refusal' in decision)) throw new Error(`recorded ${decision.fact.type}`)
      expect(decision.refusal).toMatchObject({ code, details })
    },
  }
}

/**
 * Sums the postings by account. Accounts of investors are summed by kind, because a test has one
 * investor.
 */
function sumByName(postings: readonly Posting[]): Record<string, bigint> {
  const byName: Record<string, bigint> = {}
  for (const { account, amountMinor } of postings) {
    const name = account.startsWith('investor:') ? getAccountKind(account) : account
    byName[name] = (byName[name] ?? 0n) + amountMinor
  }
  return byName
}

/** The text of a key that signs nothing. */
export const VERIFIER_KEY = `cairn.test/ledger/1+00000000+${'A'.repeat(44)}`

export const plainRules: MoneyRules = {
  depositFeePpm: 0,
  withdrawalFeePpm: 0,
  minimumDepositMinor: 1_000n,
  minimumWithdrawalMinor: 1_000n,
  coverageMode: 'disclose',
  isReferralEnabled: true,
  approvalThresholdMinor: null,
  coolingOffHours: 0,
  dailyWithdrawalLimitMinor: null,
  monthlyWithdrawalLimitMinor: null,
}

export const starterPlan: PlanTerms = {
  name: 'Starter Plan',
  duration: 30,
  unit: 'days',
  minimumMinor: 10_000n,
  maximumMinor: 100_000n,
  profitPpm: 50_000,
  referralBonusPpm: 20_000,
  returnPrincipal: true,
  isArchived: false,
}

export function createActiveInvestor(
  book: RuleBook,
  { amountMinor, referrerId = null }: { amountMinor: bigint; referrerId?: string | null },
): string {
  const investorId = book.id()
  book.when('ActivateInvestor', { investorId, referrerId })
  if (amountMinor === 0n) return investorId
  const gift = { wallet: 'balance', category: null, reason: null } as const
  book.when('FundWallet', { transactionId: book.id(), investorId, amountMinor, ...gift })
  return investorId
}
