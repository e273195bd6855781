import {
  cancelMyInvestment,
  denyInvestment,
  getInvestment,
  type InvestmentStep,
  toAmount,
} from '@cairn/gateway-contracts'
import type { Fact, LedgerInvestment, RecordedEvent } from '@cairn/ledger-contracts'
import { parseFact } from '@cairn/ledger-contracts'
import type { z } from 'zod'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createNotFoundFailure } from '../../platform/http/failure.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { submit } from '../../platform/ledger-client/submit.ts'
import { type RequestDependencies, submitOrRequest } from '../change-requests/index.ts'
import { findAcceptance } from '../risk/index.ts'
import { CANCELLED_BY_USER } from '../transactions/index.ts'
import { createDenialChange } from './denial-change.ts'
import { listUpcomingUnits } from './forecast.ts'
import { toInvestment, toProgress } from './investment.ts'
import { toAdminInvestments } from './routes.ts'

const UPCOMING_MAX = 12
const HOUR_MS = 3_600_000

type Step = z.infer<typeof InvestmentStep>
const createInvestmentNotFoundFailure = () => createNotFoundFailure('There is no such investment')

export function createInvestmentDetailRoutes(deps: RequestDependencies): readonly Route[] {
  const definition = createDenialChange(deps)
  return [
    createDetailRoute(deps),
    declareRoute(
      denyInvestment,
      { rate: 'write', owner: 'any', audit: 'investment.deny', needsFreshFactor: true },
      async ({ params, body }, exchange) => {
        const { reason } = body
        const { investorId: about } = await getLedgerInvestment(deps, params.id)
        const { event } = await submitOrRequest(deps, exchange, {
          type: 'DenyInvestment',
          definition,
          data: { investmentId: params.id, reason },
          about,
          key: null,
          reason,
          fields: ['status'],
        })
        const details = { event: String(event.seq), reason: event.data.reason }
        const found = await getLedgerInvestment(deps, params.id)
        exchange.note({ subject: params.id, ...details })
        const [investment = toInvestment(found)] = await toAdminInvestments(deps, [found])
        return { investment }
      },
    ),
    declareRoute(
      cancelMyInvestment,
      { rate: 'money', owner: 'own', audit: 'investment.cancel' },
      async ({ params }, exchange) => {
        const { userId } = getCaller(exchange)
        const { event } = await submit(deps.ledger, {
          type: 'CancelInvestment',
          data: { investmentId: params.id, investorId: userId },
          actor: `user:${userId}`,
          key: null,
          requestId: exchange.requestId,
          effectiveAt: null,
        })
        exchange.note({ subject: params.id, event: String(event.seq) })
        return { investment: toInvestment(await getLedgerInvestment(deps, params.id)) }
      },
    ),
  ]
}

function createDetailRoute(deps: Pick<Dependencies, 'db' | 'ledger'>): Route {
  const options = { rate: 'read', owner: 'own-or-admin', audit: null } as const
  return declareRoute(getInvestment, options, async ({ params }, exchange) => {
    const { userId, role } = getCaller(exchange)
    const found = await getLedgerInvestment(deps, params.id)
    // An unknown id and the id of another user's investment get equal answers.
    if (role !== 'admin' && found.investorId !== userId) throw createInvestmentNotFoundFailure()
    const [{ events, isCut }, { rules }, riskAcceptance] = await Promise.all([
      deps.ledger.ask('investmentEvents', { investmentId: params.id }),
      deps.ledger.ask('rules', {}),
      findAcceptance(deps.db, params.id),
    ])
    const shown = role === 'admin' ? await toAdminInvestments(deps, [found]) : []
    const untilMs = Date.parse(found.startedAt) + rules.coolingOffHours * HOUR_MS
    const isRunning = found.status === 'active'
    return {
      investment: shown[0] ?? toInvestment(found),
      progress: toProgress(found),
      timeline: events.flatMap((event) => toStep(event) ?? []),
      isCut,
      upcoming: isRunning ? forecastCredits(found) : [],
      cancelUntil: isRunning && untilMs > exchange.nowMs ? new Date(untilMs).toISOString() : null,
      reason: found.status === 'cancelled' ? CANCELLED_BY_USER : found.reason,
      riskAcceptance,
    }
  })
}

async function getLedgerInvestment(
  deps: Pick<Dependencies, 'ledger'>,
  investmentId: string,
): Promise<LedgerInvestment> {
  const { investment } = await deps.ledger.ask('investment', { investmentId })
  if (investment === null) throw createInvestmentNotFoundFailure()
  return investment
}

function forecastCredits(found: LedgerInvestment): { at: string; amount: number }[] {
  return listUpcomingUnits(found)
    .take(UPCOMING_MAX)
    .map(({ atMs, amountMinor }) => ({
      at: new Date(atMs).toISOString(),
      amount: toAmount(amountMinor),
    }))
    .toArray()
}

function toStep(event: RecordedEvent): Step | null {
  const { seq, effectiveAt: at } = event
  const moved = getMovedAmount(parseFact(event.type, event.data))
  if (moved === null) return null
  const { kind, amountMinor, profitMinor } = moved
  return {
    kind,
    at,
    amount: toAmount(amountMinor),
    profit: toAmount(profitMinor),
    seq: String(seq),
  }
}

function getMovedAmount(
  fact: Fact,
): { kind: Step['kind']; amountMinor: bigint; profitMinor: bigint } | null {
  switch (fact.type) {
    case 'InvestmentOpened':
      return { kind: 'opened', amountMinor: fact.data.principalMinor, profitMinor: 0n }
    case 'ProfitAccrued': {
      const { profitMinor: amountMinor, creditedMinor: profitMinor } = fact.data
      return { kind: 'accrued', amountMinor, profitMinor }
    }
    case 'InvestmentMatured': {
      const { profitMinor: amountMinor, creditedMinor: profitMinor } = fact.data
      return { kind: 'matured', amountMinor, profitMinor }
    }
    case 'InvestmentDenied':
      return {
        kind: 'denied',
        amountMinor: fact.data.returnedMinor,
        profitMinor: fact.data.creditedMinor,
      }
    case 'InvestmentCancelled':
      return { kind: 'cancelled', amountMinor: fact.data.principalMinor, profitMinor: 0n }
    default:
      return null
  }
}
