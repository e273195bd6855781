import {
  type Adjustment,
  applyAdjustment,
  listAdjustments,
  listApprovals,
  proposeAdjustment,
  rejectAdjustment,
} from '@cairn/gateway-contracts'
import type { Command, LedgerTransaction, QueryRequest } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { notFound } from '../../platform/http/failure.ts'
import { callerOf, type Exchange, type Route, route } from '../../platform/http/registry.ts'
import { toTargetFailure } from '../../platform/ledger-client/refusal.ts'
import { submit } from '../../platform/ledger-client/submit.ts'
import { toLedgerWallet } from '../../platform/ledger-client/wallet-name.ts'
import { getTransaction, toAdminTransactions } from '../transactions/index.ts'
import { findPersons, getUserRow, idOfActor, toPersonField } from '../users/index.ts'
import { toAdjustments } from './adjustment.ts'
import { createAdjustmentExportRoute, createApprovalExportRoute } from './export.ts'

const SHOWN_MAX = 200
const EVERYTHING = {
  investorIds: null,
  from: null,
  to: null,
  order: 'newest',
  limit: SHOWN_MAX,
  offset: 0,
  type: null,
  status: null,
  q: null,
} as const satisfies QueryRequest<'transactions'>

export function createAdjustmentRoutes(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger'>,
): readonly Route[] {
  return [
    route(listAdjustments, { rate: 'read', owner: 'any', audit: null }, async () => {
      const { transactions } = await deps.ledger.ask('transactions', {
        ...EVERYTHING,
        purpose: 'adjustment',
      })
      const waiting = transactions.filter(({ status }) => status === 'pending')
      const decided = transactions.filter(({ status }) => status !== 'pending')
      return { adjustments: await toAdjustments(deps, [...waiting, ...decided]) }
    }),
    createProposeRoute(deps),
    route(
      applyAdjustment,
      { rate: 'money', owner: 'any', audit: 'adjustment.apply', needsFreshFactor: true },
      async ({ params }, exchange) => {
        await getAdjustment(deps, params.id)
        const data = { transactionId: params.id }
        return decide(deps, exchange, { type: 'ApplyAdjustment', data, ...envelopeOf(exchange) })
      },
    ),
    route(
      rejectAdjustment,
      { rate: 'write', owner: 'any', audit: 'adjustment.reject' },
      async ({ params, body }, exchange) => {
        await getAdjustment(deps, params.id)
        const data = { transactionId: params.id, reason: body.reason }
        return decide(deps, exchange, { type: 'RejectAdjustment', data, ...envelopeOf(exchange) })
      },
    ),
    route(listApprovals, { rate: 'read', owner: 'any', audit: null }, readApprovals(deps)),
    createAdjustmentExportRoute(deps, EVERYTHING),
    createApprovalExportRoute(readApprovals(deps)),
  ]
}

function createProposeRoute(deps: Pick<Dependencies, 'db' | 'ledger'>): Route {
  return route(
    proposeAdjustment,
    { rate: 'money', owner: 'any', audit: 'adjustment.propose', needsFreshFactor: true },
    async ({ body }, exchange) => {
      const user = await getUserRow(deps.db, body.user)
      const data = {
        transactionId: exchange.subjectId,
        investorId: user.id,
        wallet: toLedgerWallet(body.wallet_type),
        amountMinor: body.amount,
        isCredit: body.direction === 'credit',
        reason: body.reason,
      }
      return decide(deps, exchange, {
        type: 'ProposeAdjustment',
        data,
        ...envelopeOf(exchange),
        key: exchange.key,
      })
    },
  )
}

function envelopeOf(exchange: Exchange) {
  return {
    actor: `admin:${callerOf(exchange).userId}`,
    key: null,
    requestId: exchange.requestId,
    effectiveAt: null,
  }
}

/** Loads an adjustment; 404 for the id of any other transaction. */
async function getAdjustment(
  deps: Pick<Dependencies, 'ledger'>,
  id: string,
): Promise<LedgerTransaction> {
  const found = await getTransaction(deps, id)
  if (found.purpose !== 'adjustment') throw notFound('There is no such adjustment')
  return found
}

async function decide(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  exchange: Exchange,
  command: Extract<Command, { type: `${string}Adjustment` }>,
): Promise<{ adjustment: Adjustment }> {
  const { event } = await submit(deps.ledger, command, toTargetFailure)
  const { transactionId } = command.data
  exchange.note({ subject: transactionId, event: String(event.seq), ...command.data })
  const [adjustment] = await toAdjustments(deps, [await getAdjustment(deps, transactionId)])
  if (adjustment === undefined) throw notFound('There is no such adjustment')
  return { adjustment }
}

function readApprovals(deps: Pick<Dependencies, 'clock' | 'db' | 'ledger'>) {
  return async (_request: object, exchange: Exchange) => {
    const self = `admin:${callerOf(exchange).userId}`
    const [once, proposed, { rules }] = await Promise.all([
      deps.ledger.ask('transactions', { ...EVERYTHING, order: 'oldest', isApprovedOnce: true }),
      deps.ledger.ask('transactions', {
        ...EVERYTHING,
        order: 'oldest',
        purpose: 'adjustment',
        status: 'pending',
      }),
      deps.ledger.ask('rules', {}),
    ])
    const threshold = rules.approvalThresholdMinor
    const needsTwo = ({ amountMinor }: LedgerTransaction) =>
      threshold !== null && amountMinor >= threshold
    const shown = await toAdminTransactions(deps, once.transactions)
    const first = once.transactions.map(({ firstApprovedBy }) => idOfActor(firstApprovedBy))
    const persons = await findPersons(deps.db, first)
    const adjustments = await toAdjustments(deps, proposed.transactions)
    return {
      transactions: shown.map((transaction, index) => ({
        transaction,
        ...toPersonField('firstApprovedBy', persons.get(first[index] ?? '')),
        canApprove: once.transactions[index]?.firstApprovedBy !== self,
      })),
      adjustments: adjustments.map((adjustment, index) => {
        const row = proposed.transactions[index]
        const isOwn = row?.requestedBy === self
        return { adjustment, canApprove: !(isOwn && row !== undefined && needsTwo(row)) }
      }),
      total: once.total + proposed.total,
    }
  }
}
