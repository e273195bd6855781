import {
  getTransactionDetail,
  getTransactionProof,
  type ResponseOf,
  type Transaction,
} from '@cairn/gateway-contracts'
import { type LedgerTransaction, TREASURY } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { declareRoute, type Exchange, getCaller, type Route } from '../../platform/http/registry.ts'
import {
  findOptionDetails,
  findPayment,
  findPaymentDestination,
  findSameHash,
} from '../deposits/index.ts'
import { findPayoutOption } from '../payment-options/index.ts'
import { findPersons, getActorId } from '../users/index.ts'
import { createTransactionNotFoundFailure, getTransaction } from './decision.ts'
import { findPayeeAccount } from './payee-account.ts'
import { findDepositsWithReceipts, findRiskFlags } from './risk-flags.ts'
import { toSteps } from './timeline.ts'
import { toAdminTransactions, toBankPart, toTransaction } from './transaction.ts'

export function createTransactionDetailRoutes(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger'>,
): readonly Route[] {
  const options = { rate: 'read', owner: 'own-or-admin', audit: null } as const
  return [
    declareRoute(getTransactionDetail, options, async ({ params }, exchange) => {
      const found = await getReadableTransaction(deps, exchange, params.id)
      const { events } = await deps.ledger.ask('transactionEvents', { transactionId: params.id })
      if (getCaller(exchange).role !== 'admin') {
        const payee = await findPayeeAccount(deps.db, found, exchange.nowMs)
        return {
          transaction: { ...toTransaction(found), ...toBankPart(payee ?? undefined) },
          timeline: toSteps(events, createActorNamingForOwner(found)),
          paidTo: await findPaymentDestination(deps.db, found),
          payment: await findPayment(deps.db, found),
        }
      }
      const nameOf = await createActorNamingForAdmins(
        deps,
        events.map(({ actor }) => actor),
      )
      const [transaction = toTransaction(found)] = await toAdminTransactions(deps, [found])
      const [account, sameReceipt, paidTo, payment, flags] = await Promise.all([
        findPayeeAccount(deps.db, found, exchange.nowMs),
        findSameReceipt(deps, found),
        findPaymentDestination(deps.db, found),
        findPayment(deps.db, found),
        findRiskFlags(deps, [found]),
      ])
      const sameHash = await toAdminTransactions(deps, await findSameHash(deps, found, payment))
      return {
        transaction,
        timeline: toSteps(events, nameOf),
        flags: flags.get(found.transactionId) ?? [],
        ...(account === null ? {} : { bankAccountAddedAt: account.createdAt }),
        ...(await findPaidFrom(deps, found)),
        sameReceipt,
        paidTo,
        payment,
        sameHash,
      }
    }),
    declareRoute(getTransactionProof, options, async ({ params }, exchange) => {
      const { lastSeq } = await getReadableTransaction(deps, exchange, params.id)
      await assertReceiptIsOwn(deps, getCaller(exchange), lastSeq)
      const found = await deps.ledger.ask('receipt', { seq: lastSeq })
      return { seq: String(lastSeq), ...found }
    }),
  ]
}

/**
 * Throws 404 if the newest event of the transaction is about another investor. For example, the end
 * of a buyer's investment takes back the referrer's bonus and declines withdrawals that contain the
 * bonus. The referrer must not read the event about the buyer.
 */
async function assertReceiptIsOwn(
  { ledger }: Pick<Dependencies, 'ledger'>,
  { userId, role }: ReturnType<typeof getCaller>,
  seq: bigint,
): Promise<void> {
  if (role === 'admin') return
  const { event } = await ledger.ask('event', { seq })
  const { investorId = userId } = event?.data ?? {}
  if (investorId !== userId) {
    throw new HttpFailure(
      404,
      'NO_RECEIPT',
      'The newest event of this transaction is about another investor, so you cannot get its receipt',
    )
  }
}

/**
 * Returns a transaction that the caller may read. Throws 404 for another user's transaction, as for
 * an unknown id.
 */
export async function getReadableTransaction(
  deps: Pick<Dependencies, 'ledger'>,
  exchange: Exchange,
  transactionId: string,
): Promise<LedgerTransaction> {
  const { userId, role } = getCaller(exchange)
  const found = await getTransaction(deps, transactionId)
  if (role !== 'admin' && found.investorId !== userId) throw createTransactionNotFoundFailure()
  return found
}

function createActorNamingForOwner({ investorId }: LedgerTransaction): (actor: string) => string {
  return (actor) => (actor === `user:${investorId}` ? 'you' : 'the platform')
}

async function createActorNamingForAdmins(
  deps: Pick<Dependencies, 'db'>,
  actors: readonly string[],
): Promise<(actor: string) => string> {
  const persons = await findPersons(
    deps.db,
    actors.map(getActorId).filter((id) => id !== ''),
  )
  return (actor) => persons.get(getActorId(actor))?.name ?? actor
}

type PaidFrom = Pick<ResponseOf<typeof getTransactionDetail>, 'paidFrom'>

/** Returns the account that pays a withdrawal, or nothing for other transactions. */
async function findPaidFrom(
  { db }: Pick<Dependencies, 'db'>,
  { type, status, paymentOptionId, decidedAt }: LedgerTransaction,
): Promise<PaidFrom> {
  if (type !== 'withdrawal') return {}
  if (status === 'pending') {
    const option = await findPayoutOption(db)
    if (option === null) return { paidFrom: null }
    return { paidFrom: { bank: option.bank, accountNumber: option.account_number } }
  }
  if (status !== 'success' || decidedAt === null) return {}
  if (paymentOptionId === null || paymentOptionId === TREASURY) return { paidFrom: null }
  const paid = await findOptionDetails(db, { paymentOptionId, at: decidedAt })
  if (paid === null) return {}
  return { paidFrom: { bank: paid.bank, accountNumber: paid.accountNumber } }
}

/**
 * Finds the deposits of all users that have an identical picture of the payment, except the deposit
 * `found`.
 */
async function findSameReceipt(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger'>,
  found: LedgerTransaction,
): Promise<Transaction[]> {
  const { receiptSha256, transactionId } = found
  if (receiptSha256 === null) return []
  const deposits = await findDepositsWithReceipts(deps, [receiptSha256])
  const others = deposits.filter((other) => other.transactionId !== transactionId)
  return await toAdminTransactions(deps, others)
}
