import {
  type Command,
  type CommandType,
  type DataOf,
  newId,
  type PlanTerms,
} from '@cairn/ledger-contracts'

const HOUR_MS = 3_600_000

/** Cheap enough to be bought hundreds of times from one wallet, long enough never to end. */
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

/** As the product sends them: each with a key of its own. */
export function command<Type extends CommandType>(
  type: Type,
  data: DataOf<Type>,
  envelope: Partial<Pick<Command, 'key' | 'effectiveAt'>> = { key: newId(Date.now()) },
): Command {
  const rest = { actor: 'system:bench', key: null, requestId: null, effectiveAt: null }
  // The pair is one member of the union, as the signature demands.
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
    ...{ transactionId, investorId, amountMinor: 300_000n, method: 'bank' },
    ...{ paymentOptionId: null, receiptId: transactionId, receiptSha256: 'a'.repeat(64) },
  })
}

export function approveDeposit(transactionId: string): Command {
  return command('ApproveDeposit', { transactionId, paymentOptionId: null, approvedMinor: null })
}

export function requestWithdrawal(transactionId: string, investorId: string): Command {
  return command('RequestWithdrawal', {
    ...{ transactionId, investorId, source: 'balance', amountMinor: 100_000n },
    ...{ bankAccountId: 'account', bankAccountSha256: 'b'.repeat(64) },
  })
}

export function approveWithdrawal(transactionId: string): Command {
  const data = { transactionId, paymentOptionId: null, payoutReference: null }
  return command('ApproveWithdrawal', data)
}

/** Bought so many hours ago, so that as many units are due now. */
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

/** Without a key, as the worker sends it: the state is the guard. */
export function accrue(investmentId: string, units: number): Command {
  return command('AccrueThrough', { investmentId, units }, {})
}
