import type { Command } from '@cairn/ledger-contracts'

/** The ids of recorded commands, which later commands use. */
export interface KnownIds {
  readonly investors: readonly string[]
  readonly plans: readonly string[]
  readonly deposits: readonly string[]
  readonly withdrawals: readonly string[]
  readonly investments: readonly string[]
  /** Adds the ids of a recorded command. */
  addRecordedIds(command: Command): void
  /**
   * Calls `build`, then forgets the ids that `build` added, because the built commands are possibly
   * not recorded.
   */
  buildAndForgetIds<T>(build: () => T): T
}

export function createKnownIds(): KnownIds {
  const known = {
    investors: [] as string[],
    plans: [] as string[],
    deposits: [] as string[],
    withdrawals: [] as string[],
    investments: [] as string[],
  }
  return {
    ...known,
    addRecordedIds: ({ type, data }) => {
      if (type === 'ActivateInvestor') known.investors.push(data.investorId)
      if (type === 'DefinePlan') known.plans.push(data.planId)
      if (type === 'RequestDeposit') known.deposits.push(data.transactionId)
      if (type === 'RequestWithdrawal') known.withdrawals.push(data.transactionId)
      if (type === 'OpenInvestment') known.investments.push(data.investmentId)
    },
    buildAndForgetIds: (build) => {
      const lists = Object.values(known)
      const lengths = lists.map((ids) => ids.length)
      const built = build()
      for (const [index, ids] of lists.entries()) ids.length = lengths[index] ?? 0
      return built
    },
  }
}
