import { balanceNeeds, balanceOf, balanceTable, move } from '../src/domain/accounts/account.ts'
import { record } from '../src/domain/decider.ts'
import type { Model } from '../src/log/model.ts'

/**
 * The engine without the product: a command that moves an amount between two accounts. It goes the
 * writer's whole way (idempotency, decision, floor, envelope, hash, statement) and no further.
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
  balanceOf,
}

/** The two accounts ride in the fields of a command that has two free texts. */
function legsOf(data: unknown): { debit: string; credit: string } {
  const { method, receiptId } = data as { method: string; receiptId: string }
  return { debit: method, credit: receiptId }
}
