import { listAdjustments, proposeAdjustment } from '@cairn/gateway-contracts'
import { ALL_TRANSACTIONS } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { declareRoute, type Route } from '../../platform/http/registry.ts'
import { toTargetFailure } from '../../platform/ledger-client/refusal.ts'
import { toLedgerWallet } from '../../platform/ledger-client/wallet-name.ts'
import { type RequestDependencies, submitOrRequest } from '../change-requests/index.ts'
import { getTransaction } from '../transactions/index.ts'
import { getUserRow } from '../users/index.ts'
import { toAdjustment, toAdjustments } from './adjustment.ts'
import { createAdjustmentExportRoute } from './export.ts'
import { createWalletChanges } from './wallet-changes.ts'

const SHOWN_MAX = 200

export function createAdjustmentRoutes(
  deps: RequestDependencies & Pick<Dependencies, 'clock'>,
): readonly Route[] {
  return [
    declareRoute(listAdjustments, { rate: 'read', owner: 'any', audit: null }, async () => {
      const { transactions } = await deps.ledger.ask('transactions', {
        ...ALL_TRANSACTIONS,
        investorIds: null,
        purpose: 'adjustment',
        limit: SHOWN_MAX,
      })
      return { adjustments: await toAdjustments(deps, transactions) }
    }),
    createProposeRoute(deps),
    createAdjustmentExportRoute(deps),
  ]
}

function createProposeRoute(deps: RequestDependencies): Route {
  const definition = createWalletChanges(deps)['wallet-adjustment']
  return declareRoute(
    proposeAdjustment,
    { rate: 'money', owner: 'any', audit: 'adjustment.propose', needsFreshFactor: true },
    async ({ body }, exchange) => {
      const user = await getUserRow(deps.db, body.user)
      const { reason } = body
      const data = {
        transactionId: exchange.subjectId,
        investorId: user.id,
        wallet: toLedgerWallet(body.wallet_type),
        amountMinor: body.amount,
        isCredit: body.direction === 'credit',
        reason,
      }
      const { event } = await submitOrRequest(deps, exchange, {
        type: 'AdjustWallet',
        definition,
        data,
        about: user.id,
        key: exchange.key,
        reason,
        fields: ['amount'],
        wording: toTargetFailure,
      })
      exchange.note({ subject: data.transactionId, event: String(event.seq), ...event.data })
      const found = await getTransaction(deps, data.transactionId)
      return { adjustment: await toAdjustment(deps, found) }
    },
  )
}
