import {
  account,
  computeCreditedThrough,
  computeUnitEnd,
  countElapsedUnits,
  followingId,
} from '@cairn/ledger-contracts'
import { type Context, type Decision, refuse } from '../../log/model.ts'
import { createMovePostings, listBalanceNeeds } from '../accounts/account.ts'
import { type Decider, type Evolve, isRefusal, record } from '../decider.ts'
import {
  computeDueAfter,
  createInvestmentNeed,
  findActiveInvestment,
  type Investment,
  investmentTable,
  updateInvestment,
} from '../investments/investment.ts'
import { createInvestorNeed, updateInvestor } from '../investors/investor.ts'
import { openTransaction } from '../transactions/transaction.ts'

const COMMITTED = account.getOperatorCode('committed')
const INCOME = account.getOperatorCode('income')
const DAY_MS = 86_400_000

/** Credits all due units in one event. The last unit also ends the investment. */
export const accrueThrough: Decider<'AccrueThrough'> = {
  needs: ({ investmentId }, view) => {
    const investment = view.peek(investmentTable, investmentId)
    if (investment === undefined || investment === null) return [createInvestmentNeed(investmentId)]
    const { investorId } = investment
    return [
      createInvestorNeed(investorId),
      ...listBalanceNeeds(
        account.getAvailableCode(investorId, 'profit'),
        account.getAvailableCode(investorId, 'balance'),
        account.getPrincipalCode(investorId),
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
      ? recordMaturity(found, setEffectiveTime(context, endedAtMs))
      : recordAccrual(found, units, setEffectiveTime(context, endedAtMs))
  },
}

export const applyProfitAccrued: Evolve<'ProfitAccrued'> = (data, view, { seq }) => {
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

export const applyInvestmentMatured: Evolve<'InvestmentMatured'> = (data, view, event) => {
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
    transactionId: followingId.derivePrincipalReturnId(investmentId),
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

function recordAccrual(investment: Investment, units: number, context: Context): Decision {
  const { investmentId, investorId } = investment
  const creditedMinor = computeCreditedThrough({ ...investment, units })
  const profitMinor = creditedMinor - investment.creditedMinor
  return record(
    {
      type: 'ProfitAccrued',
      data: { investmentId, investorId, units, profitMinor, creditedMinor },
    },
    context,
    createMovePostings(COMMITTED, account.getAvailableCode(investorId, 'profit'), profitMinor),
  )
}

function recordMaturity(investment: Investment, context: Context): Decision {
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
    createMovePostings(COMMITTED, account.getAvailableCode(investorId, 'profit'), profitMinor),
    createMovePostings(
      account.getPrincipalCode(investorId),
      isPrincipalReturned ? account.getAvailableCode(investorId, 'balance') : INCOME,
      principalMinor,
    ),
  )
}

/**
 * Returns the context with the effective time of an accrual. If the unit ended on an earlier UTC
 * day than the recorded day, this time is the end of the unit. Otherwise it is the recorded time.
 */
function setEffectiveTime(context: Context, unitEndedAtMs: number): Context {
  const toDayNumber = (ms: number) => Math.floor(ms / DAY_MS)
  const isEarlierDay = toDayNumber(unitEndedAtMs) < toDayNumber(context.recordedAtMs)
  return { ...context, effectiveAtMs: isEarlierDay ? unitEndedAtMs : context.recordedAtMs }
}
