import { balanceNeeds, balanceOf, balanceTable, move } from '../src/domain/accounts/account.ts'
import { record } from '../src/domain/decider.ts'
import type { Model } from '../src/log/model.ts'

/**
 * A minimal model: a command that moves an amount between two accounts. It passes through the whole
 * write path: idempotency, decision, floor, envelope, hash and statement.
 */
export const transferModel: Model = {
  tables: [balanceTable],
  pinned: [],
  needs: ({ data }) => {
    const { debit, credit } = legsOf(data)
    return balanceNeeds(debit, credit)
  },
  decide: ({ data }, _view, context) => {
    const { debit, credit } = legsOf(data)
    const note = 'transfer'
    const fact = { transactionId: '0'.repeat(20), amountMinor: 100n, note }
    return record({ type: 'ReserveFunded', data: fact }, context, move(debit, credit, 100n))
  },
  evolve: ({ postings, seq }, view) => {
    for (const { account, amountMinor } of postings) {
      const balanceMinor = balanceOf(view, account) + amountMinor
      view.put(balanceTable, { account, balanceMinor, floorMinor: null, lastSeq: seq })
    }
  },
  commandOf: () => {
    throw new Error('an event of this model does not name the accounts of its command')
  },
  balanceOf,
}

/** The two accounts are sent in the text fields of an existing command. */
function legsOf(data: unknown): { debit: string; credit: string } {
  const { method, receiptId } = data as { method: string; receiptId: string }
  return { debit: method, credit: receiptId }
}
