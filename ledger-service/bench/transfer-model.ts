import { type Command, createId } from '@cairn/ledger-contracts'
import {
  balanceTable,
  createMovePostings,
  getBalance,
  listBalanceNeeds,
} from '../src/domain/accounts/account.ts'
import { record } from '../src/domain/decider.ts'
import type { Model } from '../src/log/model.ts'

const AMOUNT_MINOR = 100n

/**
 * A minimal model with one command, which moves an amount from one account to each of some other
 * accounts. The model uses the whole write path of the ledger.
 */
export const transferModel: Model = {
  version: 1,
  tables: [balanceTable],
  pinned: [],
  needs: ({ data }) => {
    const { debit, credits } = readTransferAccounts(data)
    return listBalanceNeeds(debit, ...credits)
  },
  decide: ({ data }, _view, context) => {
    const { debit, credits } = readTransferAccounts(data)
    const note = 'transfer'
    const fact = { transactionId: '0'.repeat(20), amountMinor: AMOUNT_MINOR, note }
    const moves = credits.map((credit) => createMovePostings(debit, credit, AMOUNT_MINOR))
    return record({ type: 'ReserveFunded', data: fact }, context, ...moves)
  },
  evolve: ({ postings, seq }, view) => {
    for (const { account, amountMinor } of postings) {
      const balanceMinor = getBalance(view, account) + amountMinor
      view.put(balanceTable, { account, balanceMinor, floorMinor: null, lastSeq: seq })
    }
  },
  findVersion: () => 1,
  canDecide: () => true,
  listCommandsOf: () => {
    throw new Error('events of this model do not contain the accounts of the command')
  },
  getBalance: getBalance,
}

/** Creates a command that moves an amount from one account to each of the others, in one event. */
export function createTransfer(debit: number, credits: readonly number[]): Command {
  return {
    type: 'RequestDeposit',
    data: {
      transactionId: createId(Date.now()),
      investorId: '0'.repeat(20),
      amountMinor: AMOUNT_MINOR,
      method: `cash:${debit}`,
      paymentOptionId: null,
      receiptId: credits.map((credit) => `cash:${credit}`).join(),
      receiptSha256: 'a'.repeat(64),
    },
    actor: 'system:bench',
    key: createId(Date.now()),
    requestId: null,
    effectiveAt: null,
  }
}

/**
 * Returns the codes of the debited and the credited accounts. The model uses an existing command
 * type, so two text fields of the command contain the codes.
 */
function readTransferAccounts(data: unknown): { debit: string; credits: readonly string[] } {
  const { method, receiptId } = data as { method: string; receiptId: string }
  return { debit: method, credits: receiptId.split(',') }
}
