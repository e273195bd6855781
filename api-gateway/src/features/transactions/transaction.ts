import { type BankAccount, type Person, type Transaction, toAmount } from '@cairn/gateway-contracts'
import type { LedgerTransaction } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { toWalletName } from '../../platform/ledger-client/wallet-name.ts'
import { findBankAccounts } from '../banks/index.ts'
import { listWaitingTargets } from '../change-requests/index.ts'
import { findPersons } from '../users/index.ts'

/**
 * The reason that the API gives for a cancelled request. In the ledger, `cancelled` is a status.
 */
export const CANCELLED_BY_USER = 'cancelled_by_user'

/** Converts a transaction to the API format for its owner. */
export function toTransaction(found: LedgerTransaction): Transaction {
  const { transactionId: id } = found
  const isDeposit = found.type === 'deposit'
  return {
    id,
    _id: id,
    type: found.type,
    status: toStatus(found.status),
    amount: toAmount(found.amountMinor),
    requestedAmount: toAmount(found.requestedMinor),
    fee: toAmount(found.feeMinor),
    net: toAmount(found.netMinor),
    isCredit: found.isCredit,
    purpose: toPurpose(found.purpose),
    reference: found.reference,
    createdAt: found.createdAt,
    decidedAt: found.decidedAt,
    method: isDeposit ? found.method : toWalletName(found.method),
    isMethodAmbiguous: isMethodAmbiguous(found),
    isApprovedOnce: false,
    receipt: found.receiptId === null ? null : `/api/v1/transactions/${id}/receipt`,
    declineReason: findDeclineReason(found),
    cancelledBy: found.status === 'cancelled' ? found.investorId : null,
    payoutReference: found.payoutReference,
    isOperatorPayout: found.type === 'withdrawal' && found.requestedBy.startsWith('admin:'),
    holdReason: found.holdReason,
    investmentId: found.investmentId,
  }
}

/**
 * Returns true for a pending deposit whose method matches several payment options, if the investor
 * chose none of them.
 */
export function isMethodAmbiguous({ type, status, paymentOptionId }: LedgerTransaction): boolean {
  return type === 'deposit' && status === 'pending' && paymentOptionId === null
}

/** Converts the status to the API format, in which a cancelled request is `declined`. */
export function toStatus(status: LedgerTransaction['status']): Transaction['status'] {
  return status === 'cancelled' ? 'declined' : status
}

function findDeclineReason({ status, reason }: LedgerTransaction): string | null {
  if (status === 'cancelled') return CANCELLED_BY_USER
  return status === 'declined' ? reason : null
}

/** Converts the purpose to the API format, which has one value for all reserve movements. */
function toPurpose(purpose: LedgerTransaction['purpose']): Transaction['purpose'] {
  switch (purpose) {
    case 'reserve-withdrawal':
    case 'sweep':
      return 'reserve'
    default:
      return purpose
  }
}

/**
 * Converts transactions to the API format for administrators, with the user and the destination of
 * a withdrawal.
 */
export async function toAdminTransactions(
  deps: Pick<Dependencies, 'db' | 'clock'>,
  found: readonly LedgerTransaction[],
): Promise<Transaction[]> {
  const [persons, accounts, waiting] = await Promise.all([
    findPersons(deps.db, omitNulls(found.map(({ investorId }) => investorId))),
    findBankAccounts(deps.db, {
      ids: omitNulls(found.map(({ bankAccountId }) => bankAccountId)),
      nowMs: deps.clock.now(),
    }),
    listWaitingTargets(deps.db, found.flatMap(listPossibleRequests)),
  ])
  return found.map((item) => ({
    ...toTransaction(item),
    isApprovedOnce: waiting.has(item.transactionId),
    ...toUserPart(persons.get(item.investorId ?? '')),
    ...toBankPart(accounts.get(item.bankAccountId ?? '')),
  }))
}

/**
 * Returns the change request that can wait for the transaction in its present state. The request to
 * approve a transaction stays open after its decline, but its approval then changes nothing.
 */
function listPossibleRequests({ transactionId: target, type, status }: LedgerTransaction) {
  if (type === 'transfer') return []
  const kind = status === 'pending' ? (`${type}-approval` as const) : (`${type}-reversal` as const)
  return [{ kind, target }]
}

function omitNulls(values: readonly (string | null)[]): readonly string[] {
  return values.filter((value) => value !== null)
}

function toUserPart(user: Person | undefined): { user?: Person } {
  return user === undefined ? {} : { user }
}

export function toBankPart(account: BankAccount | undefined): Pick<Transaction, 'bankAccount'> {
  if (account === undefined) return {}
  const { bankName, accountName, accountNumber, accountType } = account
  return { bankAccount: { bankName, accountName, accountNumber, accountType } }
}
