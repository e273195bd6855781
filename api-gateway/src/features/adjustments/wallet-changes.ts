import type { Wallet } from '@cairn/ledger-contracts'
import { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import { findInvestor } from '../../platform/ledger-client/investors.ts'
import { getWalletLabel } from '../../platform/ledger-client/wallet-name.ts'
import { formatMoney } from '../../platform/site-format.ts'
import {
  createCommandChange,
  describePerson,
  toMaskableLine,
  toMoneyLine,
  toTextLine,
} from '../change-requests/index.ts'

type Sources = Pick<Dependencies, 'db' | 'ledger'>
type Moved = { investorId: string; wallet: Wallet; amountMinor: bigint; reason: string | null }

/**
 * Returns the definitions of the changes that fund or correct a wallet. For each user, at most one
 * change of each kind can be waiting for approval.
 */
export function createWalletChanges(deps: Sources) {
  const common = {
    permission: 'wallets.fund' as const,
    getTarget: ({ investorId }: Moved) => investorId,
    getLink: ({ investorId }: Moved) => `/manage/admin/users/${investorId}`,
    listBeneficiaries: async ({ investorId }: Moved) => [investorId],
    // The state of a change request does not contain the balance. Otherwise each accrual would
    // change the state, and the request would fail. The ledger checks the balance when it decides
    // the command.
    readBefore: async ({ investorId }: Moved) =>
      (await findInvestor(deps.ledger, investorId))?.standing ?? null,
  }
  const describeWalletMove = async (
    moved: Moved,
    { minor, before }: { minor: bigint; before: unknown },
  ) => {
    const person = await describePerson(deps.db, moved.investorId)
    const standing = z.string().nullable().parse(before)
    return [
      toMaskableLine('User', { before: person, after: person }),
      toTextLine('Account', { before: standing, after: standing }),
      toTextLine('Wallet', { after: getWalletLabel(moved.wallet) }),
      toMoneyLine('Amount', { after: minor }),
      toTextLine('Reason', { after: moved.reason }),
    ]
  }
  return {
    'wallet-funding': createCommandChange(deps, {
      ...common,
      kind: 'wallet-funding',
      type: 'FundWallet',
      getTitle: ({ amountMinor }) => `Funding of a wallet with ${formatMoney(amountMinor)}`,
      present: (data, before) => describeWalletMove(data, { minor: data.amountMinor, before }),
    }),
    'wallet-adjustment': createCommandChange(deps, {
      ...common,
      kind: 'wallet-adjustment',
      proposedWith: 'adjustments.propose',
      type: 'AdjustWallet',
      getTitle: ({ amountMinor, isCredit }) =>
        `${isCredit ? 'Credit' : 'Debit'} of a wallet by ${formatMoney(amountMinor)}`,
      present: (data, before) => {
        const minor = data.isCredit ? data.amountMinor : -data.amountMinor
        return describeWalletMove(data, { minor, before })
      },
    }),
  }
}
