import { type Investment, type InvestmentProgress, toAmount } from '@cairn/gateway-contracts'
import type { LedgerInvestment } from '@cairn/ledger-contracts'
import { listUpcomingUnits } from './forecast.ts'

/** Converts an investment to the API format for its investor. */
export function toInvestment(found: LedgerInvestment): Investment {
  const { investmentId: id, planId } = found
  return {
    id,
    _id: id,
    reference: found.reference,
    plan: { id: planId, _id: planId, name: found.planName },
    amount: toAmount(found.principalMinor),
    profit: toAmount(found.creditedMinor),
    expectedProfit: toAmount(found.promisedMinor),
    status: found.status === 'cancelled' ? 'denied' : found.status,
    cancelledBy: found.status === 'cancelled' ? found.investorId : null,
    returnPrincipal: found.returnPrincipal,
    createdAt: found.startedAt,
    expiryDate: found.expiresAt,
    endedAt: found.endedAt,
  }
}

export function toProgress(found: LedgerInvestment): InvestmentProgress {
  const { investmentId: id, unitsDone, duration, unit } = found
  const next = found.nextDueAt === null ? undefined : listUpcomingUnits(found).next().value
  return {
    id,
    _id: id,
    currentLevel: unitsDone,
    totalDuration: duration,
    timingParameter: unit,
    percentage: Math.min(100, Math.round((unitsDone / duration) * 10_000) / 100),
    nextProfitAt: found.nextDueAt,
    nextProfit: next === undefined ? null : toAmount(next.amountMinor),
    investment: toInvestment(found),
  }
}
