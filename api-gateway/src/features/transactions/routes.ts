import {
  approveTransaction,
  cancelMyTransaction,
  createMyTransaction,
  declineTransaction,
  getReceipt,
  listMyTransactions,
  listRecentTransactions,
  listTransactions,
  payOutUser,
  type Transaction,
} from '@cairn/gateway-contracts'
import { ALL_TRANSACTIONS, type LedgerTransaction } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { BlobStore } from '../../platform/files/blob-store.ts'
import { createNotFoundFailure } from '../../platform/http/failure.ts'
import {
  createFileRoute,
  declareRoute,
  type Exchange,
  getCaller,
  type Route,
} from '../../platform/http/registry.ts'
import { submit } from '../../platform/ledger-client/submit.ts'
import { requestDeposit } from '../deposits/index.ts'
import { getPaymentOptionRow } from '../payment-options/index.ts'
import { getUserRow } from '../users/index.ts'
import { requestPayout, requestWithdrawal } from '../withdrawals/index.ts'
import { createTransactionNotFoundFailure, decide, getTransaction } from './decision.ts'
import { getReadableTransaction } from './detail.ts'
import { listPage } from './list.ts'
import { listOwnPage } from './own-list.ts'
import type { Decision } from './recordable-decision.ts'
import { toReviewedTransactions } from './risk-flags.ts'
import type { DecisionDependencies } from './second-person.ts'
import { toAdminTransactions, toTransaction } from './transaction.ts'

const RECENT = 5

export function createTransactionRoutes(
  deps: Dependencies & DecisionDependencies,
  blobs: BlobStore,
): readonly Route[] {
  const list = { rate: 'read', owner: 'own', audit: null } as const
  return [
    declareRoute(listTransactions, { ...list, owner: 'any' }, async ({ query }, exchange) => {
      const { transactions, meta } = await listPage(deps, query, getCaller(exchange))
      return { transactions: await toReviewedTransactions(deps, transactions), meta }
    }),
    declareRoute(listMyTransactions, list, async ({ query }, exchange) => {
      return await listOwnPage(deps, query, getCaller(exchange).userId)
    }),
    declareRoute(listRecentTransactions, list, async (_request, exchange) => ({
      transactions: await listRecentForCaller(deps, exchange),
    })),
    declareRoute(
      createMyTransaction,
      { rate: 'money', owner: 'own', audit: 'transaction.request' },
      async ({ body }, exchange) => {
        const transactionId =
          body.type === 'deposit'
            ? await requestDeposit({ ...deps, blobs }, exchange, body)
            : await requestWithdrawal(deps, exchange, body)
        exchange.note({ subject: transactionId, type: body.type, amountMinor: body.amount })
        return { transaction: toTransaction(await getTransaction(deps, transactionId)) }
      },
    ),
    createPayoutRoute(deps),
    createCancelRoute(deps),
    ...createDecisionRoutes(deps),
    createFileRoute(
      getReceipt,
      { rate: 'read', owner: 'own-or-admin', audit: null },
      async ({ params }, exchange) => {
        const found = await getReadableTransaction(deps, exchange, params.id)
        const { receiptId, receiptSha256 } = found
        const file = receiptId === null ? null : await blobs.find(receiptId, receiptSha256)
        if (file === null) throw createNotFoundFailure('There is no such receipt')
        const { mediaType, bytes } = file
        return { mediaType, bytes, fileName: `receipt-${found.reference}` }
      },
    ),
  ]
}

function createDecisionRoutes(deps: DecisionDependencies): readonly Route[] {
  const present = async (found: LedgerTransaction): Promise<{ transaction: Transaction }> => {
    const [transaction] = await toAdminTransactions(deps, [found])
    return { transaction: transaction ?? toTransaction(found) }
  }
  return [
    declareRoute(
      approveTransaction,
      { rate: 'write', owner: 'any', audit: 'transaction.approve', needsFreshFactor: true },
      async ({ params, body }, exchange) => {
        const payoutOption = body.payoutOption ?? null
        if (payoutOption !== null) await getPaymentOptionRow(deps.db, payoutOption)
        const { payoutReference } = body
        const approvedMinor = body.approvedAmount ?? null
        const decision: Decision = {
          to: 'success',
          payoutReference,
          payoutOption,
          approvedMinor,
          reason: body.reason,
          isReversal: body.reverse,
        }
        return present(await decide(deps, exchange, { transactionId: params.id, decision }))
      },
    ),
    declareRoute(
      declineTransaction,
      { rate: 'write', owner: 'any', audit: 'transaction.decline', needsFreshFactor: true },
      async ({ params, body }, exchange) => {
        const { reason, reverse: isReversal } = body
        const decision: Decision = { to: 'declined', reason, isReversal }
        return present(await decide(deps, exchange, { transactionId: params.id, decision }))
      },
    ),
  ]
}

function createPayoutRoute(deps: Dependencies): Route {
  return declareRoute(
    payOutUser,
    { rate: 'money', owner: 'any', audit: 'user.pay-out', needsFreshFactor: true },
    async ({ params: { id: investorId }, body: form }, exchange) => {
      await getUserRow(deps.db, investorId)
      const transactionId = await requestPayout(deps, exchange, { investorId, form })
      const { amount: amountMinor, reason } = form
      exchange.note({ subject: investorId, transaction: transactionId, amountMinor, reason })
      return { transaction: toTransaction(await getTransaction(deps, transactionId)) }
    },
  )
}

function createCancelRoute(deps: Pick<Dependencies, 'ledger'>): Route {
  return declareRoute(
    cancelMyTransaction,
    { rate: 'money', owner: 'own', audit: 'transaction.cancel' },
    async ({ params }, exchange) => {
      const { userId } = getCaller(exchange)
      const found = await getTransaction(deps, params.id)
      const isOwn = found.investorId === userId && found.type !== 'transfer'
      if (!isOwn) throw createTransactionNotFoundFailure()
      await submit(deps.ledger, {
        type: found.type === 'deposit' ? 'CancelDeposit' : 'CancelWithdrawal',
        data: { transactionId: params.id, investorId: userId },
        actor: `user:${userId}`,
        key: null,
        requestId: exchange.requestId,
        effectiveAt: null,
      })
      exchange.note({ subject: params.id })
      return { transaction: toTransaction(await getTransaction(deps, params.id)) }
    },
  )
}

/**
 * Lists the caller's latest transactions; for an administrator, the latest transactions of all
 * users.
 */
async function listRecentForCaller(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger'>,
  exchange: Exchange,
): Promise<Transaction[]> {
  const { userId, role } = getCaller(exchange)
  const { transactions } = await deps.ledger.ask('transactions', {
    ...ALL_TRANSACTIONS,
    investorIds: role === 'admin' ? null : [userId],
    limit: RECENT,
  })
  return role === 'admin'
    ? await toAdminTransactions(deps, transactions)
    : transactions.map(toTransaction)
}
