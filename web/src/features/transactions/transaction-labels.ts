import type { Transaction } from '@cairn/gateway-contracts'
import { WALLET_LABELS } from '@cairn/gateway-contracts/wallet-labels'
import { formatMoney, toMinor } from '../../shared/money/money.ts'

const STATUS_WORDS = {
  pending: 'Pending',
  success: 'Completed',
  declined: 'Declined',
} as const

const TYPE_WORDS = { deposit: 'Deposit', withdrawal: 'Withdrawal', transfer: 'Transfer' } as const

const PURPOSE_WORDS: Record<Transaction['purpose'], string | null> = {
  deposit: null,
  withdrawal: null,
  funding: 'Credited by an administrator',
  reserve: 'Reserve',
  adjustment: 'Correction by an administrator',
  purchase: 'Invested in a plan',
  'principal-return': 'Principal returned',
  'referral-bonus': 'Referral bonus',
  'bonus-return': 'Referral bonus taken back',
}

const SOURCE_WORDS: Record<string, string> = {
  ...WALLET_LABELS,
  referral: WALLET_LABELS.referralBalance,
}

/** The names of plans by the id of the investment. The name is null if it is not known. */
export type PlanNames = ReadonlyMap<string, string | null | undefined>
export const NO_PLANS: PlanNames = new Map()

export function getTransactionTitle({
  type,
  purpose,
}: Pick<Transaction, 'type' | 'purpose'>): string {
  return purpose === 'adjustment' ? 'Adjustment' : TYPE_WORDS[type]
}

/**
 * Describes the effect of the transaction, such as `Invested in Hourly`. `planNames` has the name
 * of the plan for each investment. Without a name, the text does not mention the plan.
 */
export function describePurpose(
  transaction: Pick<Transaction, 'type' | 'purpose' | 'investmentId'>,
  planNames: PlanNames = NO_PLANS,
): string {
  return getPurposeLabel(transaction, planNames) ?? getTransactionTitle(transaction)
}

/**
 * Tells whether the owner can cancel the transaction. A transfer cannot be cancelled, because the
 * owner did not request it.
 */
export function isCancellable({ type, status }: Pick<Transaction, 'type' | 'status'>): boolean {
  return status === 'pending' && type !== 'transfer'
}

/**
 * Returns the purpose of a transfer. Returns null if the type of the transfer already states its
 * purpose.
 */
export function getPurposeLabel(
  { purpose, investmentId }: Pick<Transaction, 'purpose' | 'investmentId'>,
  planNames: PlanNames = NO_PLANS,
): string | null {
  const planName = investmentId === null ? null : (planNames.get(investmentId) ?? null)
  if (planName !== null && purpose === 'purchase') return `Invested in ${planName}`
  if (planName !== null && purpose === 'principal-return')
    return `Principal of ${planName} returned`
  return PURPOSE_WORDS[purpose]
}

export function describeMethod(method: string): string {
  return SOURCE_WORDS[method] ?? method
}

/** Formats an account of the operator, such as `First Harbor Bank, 0000000000`. */
export function formatAccount(account: { bank: string; accountNumber: string }): string {
  return `${account.bank}, ${account.accountNumber}`
}

/** Names the owner and the amount of a request, such as `Ivy Morgan, $250.00`. */
export function describeRequest(transaction: Pick<Transaction, 'user' | 'amount'>): string {
  return `${getOwner(transaction).name}, ${formatMoney(toMinor(transaction.amount))}`
}

/**
 * Says that the payment of a withdrawal comes before its approval: the ledger records an approved
 * withdrawal as paid.
 */
export function describePayment(transaction: Pick<Transaction, 'user' | 'net'>): string {
  const net = formatMoney(toMinor(transaction.net))
  return `Approve only after ${net} has been paid to ${getOwner(transaction).name}. The approval records this payment in the ledger.`
}

/** Names the status. The API has no status for a cancellation, and calls it `declined`. */
export function getStatusWord({
  status,
  cancelledBy,
}: Pick<Transaction, 'status' | 'cancelledBy'>): string {
  return cancelledBy === null ? STATUS_WORDS[status] : 'Cancelled'
}

/**
 * Returns the name and the email of the owner. A transaction without a user belongs to the
 * operator.
 */
export function getOwner({ user }: Pick<Transaction, 'user'>): { name: string; email: string } {
  return user === undefined ? { name: 'System', email: '' } : user
}
