import { type Command, type LedgerTransaction, refusals, TREASURY } from '@cairn/ledger-contracts'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { storePrivateText } from '../../platform/erasure/private-text.ts'
import { createNotFoundFailure, HttpFailure } from '../../platform/http/failure.ts'
import { type Exchange, getCaller } from '../../platform/http/registry.ts'
import {
  toFailure,
  toServerFailure,
  toTargetFailure,
} from '../../platform/ledger-client/refusal.ts'
import { formatMoney } from '../../platform/site-format.ts'
import { findPayoutOption } from '../payment-options/index.ts'
import { findPersons } from '../users/index.ts'
import { holdPendingWithdrawals } from '../withdrawals/index.ts'
import { hashPayeeAccount } from './payee-account.ts'
import { needsSecondForPayout } from './payout-by-reversal.ts'
import { type Decision, requireRecordableDecision } from './recordable-decision.ts'
import {
  approveWaitingRequest,
  type DecisionDependencies,
  isChangeDecided,
  requestSecondApproval,
} from './second-person.ts'
import { toStatus } from './transaction.ts'

export const createTransactionNotFoundFailure = () =>
  createNotFoundFailure('There is no such transaction')

export async function getTransaction(
  deps: Pick<Dependencies, 'ledger'>,
  transactionId: string,
): Promise<LedgerTransaction> {
  const { transaction } = await deps.ledger.ask('transaction', { transactionId })
  if (transaction === null) throw createTransactionNotFoundFailure()
  return transaction
}

interface DecisionCall {
  transactionId: string
  decision: Decision
}

/**
 * Makes a decision, and returns the transaction. If the transaction already has this decision,
 * changes nothing. If the transaction has the opposite decision, throws unless `isReversal` is
 * true.
 */
export async function decide(
  deps: DecisionDependencies,
  exchange: Exchange,
  call: DecisionCall,
): Promise<LedgerTransaction> {
  try {
    return await decideOnce(deps, exchange, call)
  } catch (error) {
    // Another administrator has decided on the change request after it was read. The second attempt
    // reads the result of that decision. There is no third one, because an attempt takes no pause.
    if (!isChangeDecided(error)) throw error
    return await decideOnce(deps, exchange, call)
  }
}

async function decideOnce(
  deps: DecisionDependencies,
  exchange: Exchange,
  { transactionId, decision }: DecisionCall,
): Promise<LedgerTransaction> {
  const found = await getTransaction(deps, transactionId)
  if (found.type === 'withdrawal' && found.investorId !== null) {
    await holdPendingWithdrawals(deps, { userId: found.investorId, nowMs: exchange.nowMs })
  }
  const isDecided = found.status !== 'pending'
  const isOpposite = isDecided && toStatus(found.status) !== decision.to
  if (isDecided && !(isOpposite && decision.isReversal))
    return await requireSameDecision(deps, found, decision)
  requireRecordableDecision(found, decision)
  const reason = await storeDecisionReason(deps, { found, decision, nowMs: exchange.nowMs })
  const command = await toCommand(deps, exchange, { found, decision: { ...decision, reason } })
  if (
    decision.to === 'success' &&
    (await approveWaitingRequest(deps, exchange, { command, found, stated: decision }))
  ) {
    return await getTransaction(deps, transactionId)
  }
  if (await needsSecondForPayout(deps, { found, command, nowMs: exchange.nowMs })) {
    await requestSecondApproval(deps, exchange, { command, reason: decision.reason })
    return found
  }
  const answer = await deps.ledger.submit(command)
  if (answer.outcome === 'failed') throw toServerFailure(answer)
  if (answer.outcome === 'recorded') {
    // The audit details are set now, because reading the transaction again can fail although the
    // decision is recorded.
    exchange.note({
      subject: transactionId,
      event: String(answer.event.seq),
      type: found.type,
      reference: found.reference,
      amountMinor: found.amountMinor,
      ...decision,
      reason,
    })
  } else if (answer.code === 'SECOND_APPROVER_NEEDED') {
    await requestSecondApproval(deps, exchange, { command, reason: decision.reason })
    return found
  }
  const current = await getTransaction(deps, transactionId)
  if (answer.outcome === 'recorded') return current
  if (answer.code === 'INSUFFICIENT_FUNDS' && isDecided) {
    throw new HttpFailure(409, answer.code, answer.message)
  }
  if (answer.code !== 'TRANSACTION_DECIDED') throw toTargetFailure(answer) ?? toFailure(answer)
  return await requireSameDecision(deps, current, decision)
}

/** Returns a reference in place of the reason, because the ledger cannot delete a text. */
async function storeDecisionReason(
  { db }: Pick<Dependencies, 'db'>,
  { found, decision, nowMs }: { found: LedgerTransaction; decision: Decision; nowMs: number },
): Promise<string | null> {
  const { reason } = decision
  if (reason === null || found.investorId === null) return reason
  return await storePrivateText(db, { userId: found.investorId, text: reason, nowMs })
}

async function requireSameDecision(
  deps: Pick<Dependencies, 'db'>,
  found: LedgerTransaction,
  decision: Decision,
): Promise<LedgerTransaction> {
  const isSame = toStatus(found.status) === decision.to
  const isOtherAmount = hasOtherAmount(found, decision)
  if (isSame && !isOtherAmount && !hasOtherPayment(found, decision)) return found
  const who = await findActorName(deps, found.decidedBy)
  const verb = found.status === 'success' ? 'approved' : found.status
  const when = found.decidedAt === null ? '' : ` on ${found.decidedAt}`
  const recorded = isOtherAmount ? formatMoney(found.amountMinor) : 'another payment'
  const difference = isSame ? ` with ${recorded}` : ''
  const message = `This transaction was already ${verb}${difference} by ${who}${when}`
  throw new HttpFailure(409, 'TRANSACTION_DECIDED', message)
}

/**
 * Returns true if the decision names an amount that differs from the recorded amount. The decision
 * is then not a repetition of the recorded decision.
 */
function hasOtherAmount(found: LedgerTransaction, decision: Decision): boolean {
  if (decision.to !== 'success' || decision.approvedMinor === null) return false
  return decision.approvedMinor !== found.amountMinor
}

/**
 * Returns true if the decision names a payment that differs from the recorded one. If it was made,
 * the transaction was paid twice, so the administrator must not read that it is recorded.
 */
function hasOtherPayment(found: LedgerTransaction, decision: Decision): boolean {
  if (decision.to !== 'success') return false
  const { payoutReference, payoutOption } = decision
  return (
    (found.type === 'withdrawal' &&
      payoutReference !== null &&
      payoutReference !== found.payoutReference) ||
    (payoutOption !== null && payoutOption !== found.paymentOptionId)
  )
}

async function findActorName(
  deps: Pick<Dependencies, 'db'>,
  actor: string | null,
): Promise<string> {
  const [kind, id = ''] = (actor ?? '').split(':')
  if (kind === 'user') return 'its owner'
  const persons = await findPersons(deps.db, [id])
  return persons.get(id)?.name ?? 'the platform'
}

async function toCommand(
  deps: Pick<Dependencies, 'db'>,
  exchange: Exchange,
  { found, decision }: { found: LedgerTransaction; decision: Decision },
): Promise<Command> {
  const { transactionId, type } = found
  const envelope = {
    actor: `admin:${getCaller(exchange).userId}`,
    // No idempotency key is needed, because a transaction can be decided only once.
    key: null,
    requestId: exchange.requestId,
    effectiveAt: null,
  }
  if (type === 'transfer') {
    throw new HttpFailure(422, 'UNSUPPORTED', 'A transfer cannot be decided')
  }
  if (found.status !== 'pending') {
    const { to } = decision
    const reason = decision.reason ?? ''
    const chosen = to === 'success' ? decision.payoutOption : null
    if (type === 'deposit') {
      const data = { transactionId, to, paymentOptionId: chosen, reason }
      return { type: 'ReverseDeposit', data, ...envelope }
    }
    const paymentOptionId = to === 'success' ? await findPayer(deps.db, found, chosen) : null
    const data = { transactionId, to, paymentOptionId, reason }
    return { type: 'ReverseWithdrawal', data, ...envelope }
  }
  if (decision.to === 'declined') {
    const data = { transactionId, reason: decision.reason }
    return type === 'deposit'
      ? { type: 'DeclineDeposit', data, ...envelope }
      : { type: 'DeclineWithdrawal', data, ...envelope }
  }
  const { payoutOption, payoutReference, approvedMinor } = decision
  if (type === 'deposit') {
    const data = {
      transactionId,
      paymentOptionId: payoutOption,
      approvedMinor: approvedMinor ?? found.amountMinor,
    }
    return { type: 'ApproveDeposit', data, ...envelope }
  }
  const data = {
    transactionId,
    paymentOptionId: await findPayer(deps.db, found, payoutOption),
    payoutReference,
    bankAccountSha256: await requireCurrentAccount(deps.db, found, exchange.nowMs),
  }
  return { type: 'ApproveWithdrawal', data, ...envelope }
}

/**
 * Returns the payment option whose cash account pays a withdrawal; null means the treasury. A
 * withdrawal that was booked to the treasury before does not stay there.
 */
async function findPayer(
  db: Database,
  found: LedgerTransaction,
  chosen: string | null,
): Promise<string | null> {
  const { paymentOptionId: recorded } = found
  const earlier = recorded === TREASURY ? null : recorded
  return chosen ?? earlier ?? (await findPayoutOption(db))?.id ?? null
}

/**
 * Returns the hash of the bank account in its present state. The ledger refuses the approval if the
 * account has changed since the request. Throws the same refusal if the account was removed.
 */
async function requireCurrentAccount(
  db: Database,
  found: LedgerTransaction,
  nowMs: number,
): Promise<string> {
  const sha256 = await hashPayeeAccount(db, found, nowMs)
  if (sha256 !== null) return sha256
  const [code, message] = refusals.bankAccountChanged
  throw new HttpFailure(409, code, message)
}
