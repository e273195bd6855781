import {
  type Command,
  type CommandType,
  type DataOf,
  newId,
  type PlanTerms,
} from '@cairn/ledger-contracts'

const HOUR_MS = 3_600_000

/** A plan with a low minimum, for many purchases per wallet, and a term that never ends in a run. */
const PLAN: PlanTerms = {
  name: 'Bench Plan',
  duration: 10_000,
  unit: 'hours',
  minimumMinor: 100n,
  maximumMinor: null,
  profitPpm: 2_000_000,
  referralBonusPpm: 0,
  returnPrincipal: true,
  isArchived: false,
}
const PRINCIPAL_MINOR = 100_000n

/** Each command has its own idempotency key, as in production. */
export function command<Type extends CommandType>(
  type: Type,
  data: DataOf<Type>,
  envelope: Partial<Pick<Command, 'key' | 'effectiveAt'>> = { key: newId(Date.now()) },
): Command {
  const rest = { actor: 'system:bench', key: null, requestId: null, effectiveAt: null }
  // The cast holds because the signature pairs type and data.
  return { type, data, ...rest, ...envelope } as unknown as Command
}

export function definePlan(planId: string): Command {
  return command('DefinePlan', { planId, terms: PLAN })
}

export function activate(investorId: string): Command {
  return command('ActivateInvestor', { investorId, referrerId: null })
}

export function fund(investorId: string, amountMinor: bigint): Command {
  const gift = { wallet: 'balance', category: null, reason: null } as const
  const transactionId = newId(Date.now())
  return command('FundWallet', { transactionId, investorId, amountMinor, ...gift })
}

export function requestDeposit(transactionId: string, investorId: string): Command {
  return command('RequestDeposit', {
    transactionId,
    investorId,
    amountMinor: 300_000n,
    method: 'bank',
    paymentOptionId: null,
    receiptId: transactionId,
    receiptSha256: 'a'.repeat(64),
  })
}

export function approveDeposit(transactionId: string): Command {
  return command('ApproveDeposit', {
    transactionId,
    paymentOptionId: null,
    approvedMinor: 300_000n,
  })
}

export function requestWithdrawal(transactionId: string, investorId: string): Command {
  return command('RequestWithdrawal', {
    transactionId,
    investorId,
    source: 'balance',
    amountMinor: 100_000n,
    bankAccountId: 'account',
    bankAccountSha256: 'b'.repeat(64),
  })
}

export function approveWithdrawal(transactionId: string): Command {
  const data = {
    transactionId,
    paymentOptionId: null,
    payoutReference: null,
    bankAccountSha256: 'b'.repeat(64),
  }
  return command('ApproveWithdrawal', data)
}

/** Opens investments `hours` ago, so that as many units are due now. */
export function openInvestment(purchase: {
  investmentId: string
  investorId: string
  planId: string
  hoursAgo: number
}): Command {
  const { hoursAgo, ...ids } = purchase
  const effectiveAt = new Date(Date.now() - hoursAgo * HOUR_MS).toISOString()
  const data = { ...ids, amountMinor: PRINCIPAL_MINOR, planVersion: null }
  return command('OpenInvestment', data, { key: newId(Date.now()), effectiveAt })
}

/** Without an idempotency key, as the worker sends it: the state prevents repetition. */
export function accrue(investmentId: string, units: number): Command {
  return command('AccrueThrough', { investmentId, units }, {})
}
