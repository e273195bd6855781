import {
  account,
  type CountedWithdrawals,
  type Id,
  InvestorStanding,
  type Wallet,
} from '@cairn/ledger-contracts'
import { type Refusal, refuse } from '../../log/model.ts'
import { createStateTable, type RowOf } from '../../log/table.ts'
import type { Need, View } from '../../log/view.ts'
import { getBalance, listBalanceNeeds } from '../accounts/account.ts'
import { addToTotal } from '../accounts/control-total.ts'
import { type Decider, type Evolve, record } from '../decider.ts'

export const investorTable = createStateTable('investor', 'investorId', {
  investorId: 'text',
  standing: InvestorStanding.options,
  referrerId: 'text?',
  depositedMinor: 'int8',
  withdrawnMinor: 'int8',
  investmentCount: 'int4',
  activeInvestmentCount: 'int4',
  pendingCount: 'int4',
  investedMinor: 'int8',
  profitMinor: 'int8',
  referralMinor: 'int8',
  withdrawalDay: 'text?',
  dayWithdrawalsMinor: 'int8',
  monthWithdrawalsMinor: 'int8',
  /** Ids of pending withdrawals from `referral`, oldest first, separated by spaces. */
  referralWithdrawals: 'text',
  /**
   * The sum of bonuses that could not be taken back. While this sum is above zero, the investor
   * gets no bonus.
   */
  bonusLostMinor: 'int8',
})
export type Investor = RowOf<typeof investorTable>

const WALLETS: readonly Wallet[] = ['balance', 'profit', 'referral']

export function createInvestorNeed(investorId: Id): Need {
  return { table: investorTable, key: investorId }
}

export function findActiveInvestor(view: View, investorId: Id): Investor | { refusal: Refusal } {
  const investor = view.find(investorTable, investorId)
  if (investor === null) return refuse('investorUnknown')
  if (investor.standing === 'active') return investor
  return refuse('investorNotActive', {
    standing: investor.standing,
  })
}

/** Returns the amounts that count against the withdrawal limits. */
export function readCountedWithdrawals(
  investor: Pick<Investor, 'withdrawalDay' | 'dayWithdrawalsMinor' | 'monthWithdrawalsMinor'>,
): CountedWithdrawals {
  const { withdrawalDay: day, dayWithdrawalsMinor, monthWithdrawalsMinor } = investor
  return { day, dayMinor: dayWithdrawalsMinor, monthMinor: monthWithdrawalsMinor }
}

/** Changes an investor's row. Throws if the row does not exist. */
export function updateInvestor(
  view: View,
  investorId: Id,
  change: (investor: Investor) => Partial<Investor>,
): void {
  const investor = view.find(investorTable, investorId)
  if (investor === null) throw new Error(`investor ${investorId} is not in the ledger`)
  view.put(investorTable, { ...investor, ...change(investor) })
}

export const activateInvestor: Decider<'ActivateInvestor'> = {
  needs: ({ investorId, referrerId }) => [
    createInvestorNeed(investorId),
    ...(referrerId === null ? [] : [createInvestorNeed(referrerId)]),
  ],
  decide: ({ investorId, referrerId }, view, context) => {
    const investor = view.find(investorTable, investorId)
    if (investor?.standing === 'closed') return refuse('accountClosed')
    if (investor?.standing === 'active') {
      return refuse('standingUnchanged', { standing: 'active' })
    }
    // The referrer is set once, at the first activation. No referrer is set if the named referrer
    // is unknown or is the investor.
    const referrer =
      investor === null ? findKnownReferrer(view, { investorId, referrerId }) : investor.referrerId
    const data = { investorId, referrerId: referrer }
    return record({ type: 'InvestorActivated', data }, context)
  },
}

export const suspendInvestor: Decider<'SuspendInvestor'> = {
  needs: ({ investorId }) => [createInvestorNeed(investorId)],
  decide: ({ investorId, standing }, view, context) => {
    const investor = view.find(investorTable, investorId)
    if (investor?.standing === 'closed') return refuse('accountClosed')
    if (investor?.standing === standing) {
      return refuse('standingUnchanged', { standing })
    }
    return record({ type: 'InvestorSuspended', data: { investorId, standing } }, context)
  },
}

export const closeInvestor: Decider<'CloseInvestor'> = {
  needs: ({ investorId }) => [
    createInvestorNeed(investorId),
    ...listBalanceNeeds(...listAccounts(investorId)),
  ],
  decide: ({ investorId }, view, context) => {
    const investor = view.find(investorTable, investorId)
    if (investor === null) {
      return refuse('investorUnknown')
    }
    if (investor.standing === 'closed') {
      return refuse('standingUnchanged', { standing: 'closed' })
    }
    const isEmpty = listAccounts(investorId).every((code) => getBalance(view, code) === 0n)
    if (!isEmpty || investor.pendingCount > 0 || investor.activeInvestmentCount > 0) {
      return refuse('investorNotEmpty')
    }
    return record({ type: 'InvestorClosed', data: { investorId } }, context)
  },
}

export const applyInvestorActivated: Evolve<'InvestorActivated'> = (data, view, { seq }) => {
  const { investorId, referrerId } = data
  const known = view.find(investorTable, investorId) ?? createInvestor(investorId, 'active')
  view.put(investorTable, { ...known, standing: 'active', referrerId })
  addToTotal(view, { name: 'investor:active', count: 1n, seq })
}

export const applyInvestorSuspended: Evolve<'InvestorSuspended'> = (data, view, { seq }) => {
  const { investorId, standing } = data
  const known = view.find(investorTable, investorId) ?? createInvestor(investorId, standing)
  view.put(investorTable, { ...known, standing })
  if (known.standing === 'active') addToTotal(view, { name: 'investor:active', count: -1n, seq })
}

export const applyInvestorClosed: Evolve<'InvestorClosed'> = (data, view, { seq }) => {
  updateInvestor(view, data.investorId, (investor) => {
    if (investor.standing === 'active')
      addToTotal(view, { name: 'investor:active', count: -1n, seq })
    return { standing: 'closed' }
  })
}

function findKnownReferrer(
  view: View,
  { investorId, referrerId }: { investorId: Id; referrerId: Id | null },
): Id | null {
  if (referrerId === null || referrerId === investorId) return null
  return view.find(investorTable, referrerId) === null ? null : referrerId
}

function listAccounts(investorId: Id): readonly string[] {
  return [
    ...WALLETS.map((wallet) => account.getAvailableCode(investorId, wallet)),
    ...WALLETS.map((wallet) => account.getHeldCode(investorId, wallet)),
    account.getPrincipalCode(investorId),
  ]
}

function createInvestor(investorId: Id, standing: Investor['standing']): Investor {
  return {
    investorId,
    standing,
    referrerId: null,
    depositedMinor: 0n,
    withdrawnMinor: 0n,
    investmentCount: 0,
    activeInvestmentCount: 0,
    pendingCount: 0,
    investedMinor: 0n,
    profitMinor: 0n,
    referralMinor: 0n,
    withdrawalDay: null,
    dayWithdrawalsMinor: 0n,
    monthWithdrawalsMinor: 0n,
    referralWithdrawals: '',
    bonusLostMinor: 0n,
  }
}
