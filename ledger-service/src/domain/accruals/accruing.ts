import { account, followingId } from '@cairn/ledger-contracts'
import { type Context, type Decision, refuse } from '../../log/model.ts'
import { balanceNeeds, move } from '../accounts/account.ts'
import { type Decider, type Evolve, isRefusal, record } from '../decider.ts'
import {
  computeDueAfter,
  findActiveInvestment,
  type Investment,
  investmentNeed,
  investmentTable,
  updateInvestment,
} from '../investments/investment.ts'
import { investorNeed, updateInvestor } from '../investors/investor.ts'
import { openTransaction } from '../transactions/transaction.ts'
import { computeCreditedThrough, computeUnitEnd, countElapsedUnits } from './accrual.ts'

const COMMITTED = account.operator('committed')
const INCOME = account.operator('income')
const DAY_MS = 86_400_000

/** Credits all due units in one event. The last unit also ends the investment. */
export const accrueThrough: Decider<'AccrueThrough'> = {
  needs: ({ investmentId }, view) => {
    const investment = view.peek(investmentTable, investmentId)
    if (investment === undefined || investment === null) return [investmentNeed(investmentId)]
    const { investorId } = investment
    return [
      investorNeed(investorId),
      ...balanceNeeds(
        account.available(investorId, 'profit'),
        account.available(investorId, 'balance'),
        account.principal(investorId),
        COMMITTED,
        INCOME,
      ),
    ]
  },
  decide: ({ investmentId, units }, view, context) => {
    const found = findActiveInvestment(view, investmentId)
    if (isRefusal(found)) return found
    const { startedAt: startedAtMs, duration } = found
    const { unit } = found
    const elapsed = countElapsedUnits({ startedAtMs, unit, duration, nowMs: context.recordedAtMs })
    if (units <= found.unitsDone || units > elapsed) {
      return refuse('notDue', {
        units: String(units),
        unitsDone: String(found.unitsDone),
        unitsElapsed: String(elapsed),
      })
    }
    const endedAtMs = computeUnitEnd({ startedAtMs, unit, units })
    return units === duration
      ? mature(found, withEffectiveTime(context, endedAtMs))
      : accrue(found, units, withEffectiveTime(context, endedAtMs))
  },
}

export const profitAccrued: Evolve<'ProfitAccrued'> = (data, view, { seq }) => {
  const { investmentId, investorId, units, creditedMinor, profitMinor } = data
  updateInvestment(view, { investmentId, seq }, (investment) => ({
    creditedMinor,
    unitsDone: units,
    nextDueAt: computeDueAfter(investment, units),
  }))
  updateInvestor(view, investorId, (investor) => ({
    profitMinor: investor.profitMinor + profitMinor,
  }))
}

export const investmentMatured: Evolve<'InvestmentMatured'> = (data, view, event) => {
  const { investmentId, investorId, units, creditedMinor, profitMinor, principalMinor } = data
  const { seq } = event
  updateInvestment(view, { investmentId, seq }, () => ({
    status: 'completed',
    creditedMinor,
    unitsDone: units,
    nextDueAt: null,
    endedAt: event.effectiveAtMs,
  }))
  updateInvestor(view, investorId, (investor) => ({
    profitMinor: investor.profitMinor + profitMinor,
    activeInvestmentCount: investor.activeInvestmentCount - 1,
  }))
  if (!data.isPrincipalReturned) return
  openTransaction(view, event, {
    transactionId: followingId.principalReturn(investmentId),
    type: 'transfer',
    purpose: 'principal-return',
    status: 'success',
    investorId,
    investmentId,
    amountMinor: principalMinor,
    isCredit: true,
    method: 'balance',
  })
}

function accrue(investment: Investment, units: number, context: Context): Decision {
  const { investmentId, investorId } = investment
  const creditedMinor = computeCreditedThrough({ ...investment, units })
  const profitMinor = creditedMinor - investment.creditedMinor
  return record(
    {
      type: 'ProfitAccrued',
      data: { investmentId, investorId, units, profitMinor, creditedMinor },
    },
    context,
    move(COMMITTED, account.available(investorId, 'profit'), profitMinor),
  )
}

function mature(investment: Investment, context: Context): Decision {
  const { investmentId, investorId, principalMinor, duration: units } = investment
  const { promisedMinor: creditedMinor, returnPrincipal: isPrincipalReturned } = investment
  const profitMinor = creditedMinor - investment.creditedMinor
  const data = {
    investmentId,
    investorId,
    units,
    profitMinor,
    creditedMinor,
    principalMinor,
    isPrincipalReturned,
  }
  return record(
    { type: 'InvestmentMatured', data },
    context,
    move(COMMITTED, account.available(investorId, 'profit'), profitMinor),
    move(
      account.principal(investorId),
      isPrincipalReturned ? account.available(investorId, 'balance') : INCOME,
      principalMinor,
    ),
  )
}

/** Sets the effective time: the recorded time, or the end of the unit if that is on an earlier UTC day. */
function withEffectiveTime(context: Context, unitEndedAtMs: number): Context {
  const dayNumber = (ms: number) => Math.floor(ms / DAY_MS)
  const isEarlierDay = dayNumber(unitEndedAtMs) < dayNumber(context.recordedAtMs)
  return { ...context, effectiveAtMs: isEarlierDay ? unitEndedAtMs : context.recordedAtMs }
}
