import {
  type Command,
  type CommandType,
  createId,
  type DataOf,
  type PlanTerms,
} from '@cairn/ledger-contracts'

const HOUR_MS = 3_600_000

/**
 * A plan with a low minimum and a long term. One wallet can buy the plan often, and no run reaches
 * the end of the term.
 */
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

/** Builds a command. By default the command has its own idempotency key, as in production. */
export function createCommand<Type extends CommandType>(
  type: Type,
  data: DataOf<Type>,
  envelope: Partial<Pick<Command, 'key' | 'effectiveAt'>> = { key: createId(Date.now()) },
): Command {
  const rest = { actor: 'system:bench', key: null, requestId: null, effectiveAt: null }
  // The cast is safe, because the parameters require data of this type.
  return { type, data, ...rest, ...envelope } as unknown as Command
}

export function createPlanDefinition(planId: string): Command {
  return createCommand('DefinePlan', { planId, terms: PLAN })
}

export function createActivation(investorId: string): Command {
  return createCommand('ActivateInvestor', { investorId, referrerId: null })
}

export function createFunding(investorId: string, amountMinor: bigint): Command {
  const gift = { wallet: 'balance', category: null, reason: null } as const
  const transactionId = createId(Date.now())
  return createCommand('FundWallet', { transactionId, investorId, amountMinor, ...gift })
}

export function createDepositRequest(transactionId: string, investorId: string): Command {
  return createCommand('RequestDeposit', {
    transactionId,
    investorId,
    amountMinor: 300_000n,
    method: 'bank',
    paymentOptionId: null,
    receiptId: transactionId,
    receiptSha256: 'a'.repeat(64),
  })
}

export function createDepositApproval(transactionId: string): Command {
  return createCommand('ApproveDeposit', {
    transactionId,
    paymentOptionId: null,
    approvedMinor: 300_000n,
  })
}

export function createWithdrawalRequest(transactionId: string, investorId: string): Command {
  return createCommand('RequestWithdrawal', {
    transactionId,
    investorId,
    source: 'balance',
    amountMinor: 100_000n,
    bankAccountId: 'account',
    bankAccountSha256: 'b'.repeat(64),
  })
}

export function createWithdrawalApproval(transactionId: string): Command {
  const data = {
    transactionId,
    paymentOptionId: null,
    payoutReference: null,
    bankAccountSha256: 'b'.repeat(64),
  }
  return createCommand('ApproveWithdrawal', data)
}

/** Opens an investment that started `hoursAgo` hours ago, so that `hoursAgo` units are due. */
export function createInvestment(purchase: {
  investmentId: string
  investorId: string
  planId: string
  hoursAgo: number
}): Command {
  const { hoursAgo, ...ids } = purchase
  const effectiveAt = new Date(Date.now() - hoursAgo * HOUR_MS).toISOString()
  const data = { ...ids, amountMinor: PRINCIPAL_MINOR, planVersion: null }
  return createCommand('OpenInvestment', data, { key: createId(Date.now()), effectiveAt })
}

/** Builds a command as the worker sends it, without an idempotency key. */
export function createAccrual(investmentId: string, units: number): Command {
  return createCommand('AccrueThrough', { investmentId, units }, {})
}
