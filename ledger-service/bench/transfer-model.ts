import {
  balanceTable,
  createMovePostings,
  getBalance,
  listBalanceNeeds,
} from '../src/domain/accounts/account.ts'
import { record } from '../src/domain/decider.ts'
import type { Model } from '../src/log/model.ts'

/**
 * A minimal model with one command, which moves an amount between two accounts. The model uses the
 * whole write path of the ledger.
 */
export const transferModel: Model = {
  version: 1,
  tables: [balanceTable],
  pinned: [],
  needs: ({ data }) => {
    const { debit, credit } = readTransferAccounts(data)
    return listBalanceNeeds(debit, credit)
  },
  decide: ({ data }, _view, context) => {
    const { debit, credit } = readTransferAccounts(data)
    const note = 'transfer'
    const fact = { transactionId: '0'.repeat(20), amountMinor: 100n, note }
    return record(
      { type: 'ReserveFunded', data: fact },
      context,
      createMovePostings(debit, credit, 100n),
    )
  },
  evolve: ({ postings, seq }, view) => {
    for (const { account, amountMinor } of postings) {
      const balanceMinor = getBalance(view, account) + amountMinor
      view.put(balanceTable, { account, balanceMinor, floorMinor: null, lastSeq: seq })
    }
  },
  findVersion: () => 1,
  canDecide: () => true,
  reconstructCommand: () => {
    throw new Error('events of this model do not contain the accounts of the command')
  },
  getBalance: getBalance,
}

/**
 * Returns the codes of the debited and the credited account. The model uses an existing command
 * type, so two text fields of the command contain the codes.
 */
function readTransferAccounts(data: unknown): { debit: string; credit: string } {
  const { method, receiptId } = data as { method: string; receiptId: string }
  return { debit: method, credit: receiptId }
}
