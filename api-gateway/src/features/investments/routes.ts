import {
  type Investment,
  listInvestments,
  listMyInvestments,
  openMyInvestment,
  refreshMyInvestments,
} from '@cairn/gateway-contracts'
import type { LedgerInvestment, Refused } from '@cairn/ledger-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createNotFoundFailure, HttpFailure } from '../../platform/http/failure.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { submit } from '../../platform/ledger-client/submit.ts'
import { formatMoney } from '../../platform/site-format.ts'
import { acceptRisk } from '../risk/index.ts'
import { findPersons } from '../users/index.ts'
import { toInvestment, toProgress } from './investment.ts'
import { listActiveInvestments, listPage } from './list.ts'
import { payBonusIfDue } from './referral-bonus.ts'
import { refreshInvestments } from './refresh.ts'

type OpenDependencies = Pick<Dependencies, 'db' | 'ledger' | 'settings' | 'sharedRates'>

export function createInvestmentRoutes(deps: OpenDependencies): readonly Route[] {
  const list = { rate: 'read', owner: 'own', audit: null } as const
  return [
    declareRoute(listInvestments, { ...list, owner: 'any' }, async ({ query }, exchange) => {
      const { investments, meta } = await listPage(deps, query, getCaller(exchange))
      return { investments: await toAdminInvestments(deps, investments), meta }
    }),
    declareRoute(listMyInvestments, list, async ({ query }, exchange) => {
      const { userId: ownerId } = getCaller(exchange)
      const { investments, meta } = await listPage(deps, query, { ownerId })
      return { investments: investments.map(toInvestment), meta }
    }),
    declareRoute(
      refreshMyInvestments,
      { rate: 'write', owner: 'own', audit: null },
      async (_request, exchange) => {
        const { userId: investorId } = getCaller(exchange)
        const { requestId, nowMs } = exchange
        const refreshed = await refreshInvestments(deps, { investorId, requestId, nowMs })
        const active = await listActiveInvestments(deps.ledger, investorId)
        return { investments: active.map(toProgress), refreshed }
      },
    ),
    createOpenRoute(deps),
  ]
}

/** Converts investments to the API format for administrators, with the investor of each. */
export async function toAdminInvestments(
  deps: Pick<Dependencies, 'db'>,
  found: readonly LedgerInvestment[],
): Promise<Investment[]> {
  const persons = await findPersons(
    deps.db,
    found.map(({ investorId }) => investorId),
  )
  return found.map((item) => {
    const user = persons.get(item.investorId)
    return { ...toInvestment(item), ...(user === undefined ? {} : { user }) }
  })
}

async function isOpened(
  { ledger }: Pick<Dependencies, 'ledger'>,
  { investmentId, userId }: { investmentId: string; userId: string },
): Promise<boolean> {
  const { investment } = await ledger.ask('investment', { investmentId })
  return investment?.investorId === userId
}

function createOpenRoute(deps: OpenDependencies): Route {
  return declareRoute(
    openMyInvestment,
    { rate: 'money', owner: 'own', audit: 'investment.open' },
    async ({ body }, exchange) => {
      const { userId } = getCaller(exchange)
      const { subjectId: investmentId } = exchange
      if (body.user !== undefined && body.user !== userId) {
        throw new HttpFailure(403, 'NOT_YOURS', 'You can only invest for yourself')
      }
      // The repetition of a recorded request is answered as before, so it is not counted.
      const isKnown = exchange.isRepetition && (await isOpened(deps, { investmentId, userId }))
      if (!isKnown) await deps.sharedRates.takeMoneyRequest(userId)
      if (body.riskVersion !== undefined) {
        const acceptance = { investmentId, userId, version: body.riskVersion }
        await acceptRisk(deps, { ...acceptance, nowMs: exchange.nowMs })
      }
      await submit(
        deps.ledger,
        {
          type: 'OpenInvestment',
          data: {
            investmentId,
            investorId: userId,
            planId: body.plan,
            amountMinor: body.amount,
            planVersion: body.planVersion ?? null,
          },
          actor: `user:${userId}`,
          key: exchange.key,
          requestId: exchange.requestId,
          effectiveAt: null,
        },
        toInvestmentFailure,
      )
      await payBonusIfDue(deps, { investmentId, investorId: userId }, exchange)
      exchange.note({ subject: investmentId, plan: body.plan, amountMinor: body.amount })
      const { investment } = await deps.ledger.ask('investment', { investmentId })
      if (investment === null) throw createNotFoundFailure('There is no such investment')
      return { investment: toInvestment(investment) }
    },
  )
}

/**
 * Converts a refusal of the ledger to a failure with a message for investors. Returns null if there
 * is no such message; the caller then uses the ledger's message.
 */
function toInvestmentFailure({ code, message, details }: Refused): HttpFailure | null {
  if (code === 'AMOUNT_BELOW_MINIMUM') {
    const minimum = formatMoney(BigInt(details.minimumMinor ?? 0))
    return new HttpFailure(422, code, `The selected plan requires a minimum deposit of ${minimum}`)
  }
  if (code === 'AMOUNT_ABOVE_MAXIMUM') {
    const maximum = formatMoney(BigInt(details.maximumMinor ?? 0))
    return new HttpFailure(422, code, `You can't invest more than ${maximum} on this plan`)
  }
  if (code === 'INSUFFICIENT_FUNDS') {
    return new HttpFailure(422, code, 'Insufficient wallet balance')
  }
  if (code === 'FULLY_SUBSCRIBED') {
    return new HttpFailure(422, code, 'This plan is fully subscribed')
  }
  return code === 'PLAN_UNKNOWN' ? new HttpFailure(422, code, message) : null
}
