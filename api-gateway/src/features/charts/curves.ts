import {
  type AccountKind,
  getAccountKind,
  getAsset,
  getInvestorId,
  type RecordedEvent,
} from '@cairn/ledger-contracts'
import { type FactWith, parseFactWith } from '../../platform/find-effects.ts'
import { listPaidIn } from './paid-in.ts'

/** The balance changes of one page of events, summed for each quarter of an hour. */
export interface QuarterHourCurves {
  operator: ReadonlyMap<string, { at: string; kind: AccountKind; amountMinor: bigint }>
  investors: ReadonlyMap<string, InvestorQuarter>
  flows: ReadonlyMap<string, FlowQuarter>
}

export interface InvestorQuarter {
  investorId: string
  at: string
  availableMinor: bigint
  heldMinor: bigint
  principalMinor: bigint
  profitMinor: bigint
  paidInMinor: bigint
}

export interface FlowQuarter {
  at: string
  depositsMinor: bigint
  withdrawalsMinor: bigint
  profitMinor: bigint
  investedMinor: bigint
}

const QUARTER_MS = 900_000
type FlowingFact = FactWith<'chart'>

/**
 * Sums the changes in each quarter of an hour. Uses the effective time, because charts show the
 * time at which something happened.
 */
export function sumByQuarterHour(events: readonly RecordedEvent[]): QuarterHourCurves {
  const operator = new Map<string, { at: string; kind: AccountKind; amountMinor: bigint }>()
  const investors = new Map<string, InvestorQuarter>()
  const flows = new Map<string, FlowQuarter>()
  for (const event of events) {
    const at = floorToQuarterHour(event.effectiveAt)
    for (const { account, amountMinor } of event.postings) {
      // Accounts in an asset other than the currency of the site are skipped, because charts show
      // only this currency.
      if (getAsset(account) !== null) continue
      const kind = getAccountKind(account)
      const known = operator.get(`${at} ${kind}`)
      const sum = (known?.amountMinor ?? 0n) + amountMinor
      operator.set(`${at} ${kind}`, { at, kind, amountMinor: sum })
      addPostingToInvestor(investors, { account, kind, at, amountMinor })
    }
    for (const { investorId, amountMinor } of listPaidIn(event)) {
      getOrCreateInvestorQuarter(investors, investorId, at).paidInMinor += amountMinor
    }
    const fact = parseFactWith('chart', event)
    if (fact === null) continue
    addFactToFlows(flows, at, fact)
    addProfit(investors, at, fact)
  }
  return { operator, investors, flows }
}

/**
 * Rounds down to a quarter of an hour, because all time zone offsets are multiples of 15 minutes.
 */
export function floorToQuarterHour(instant: string): string {
  return new Date(Math.floor(Date.parse(instant) / QUARTER_MS) * QUARTER_MS).toISOString()
}

function addPostingToInvestor(
  investors: Map<string, InvestorQuarter>,
  posting: { account: string; kind: AccountKind; at: string; amountMinor: bigint },
): void {
  const { account, kind, at, amountMinor } = posting
  const investorId = getInvestorId(account)
  if (investorId === null) return
  const row = getOrCreateInvestorQuarter(investors, investorId, at)
  if (kind === 'principal') row.principalMinor += amountMinor
  else if (kind.startsWith('held:')) row.heldMinor += amountMinor
  else row.availableMinor += amountMinor
}

function addProfit(investors: Map<string, InvestorQuarter>, at: string, fact: FlowingFact): void {
  const profitMinor = getProfit(fact)
  if (profitMinor !== 0n) {
    getOrCreateInvestorQuarter(investors, fact.data.investorId, at).profitMinor += profitMinor
  }
}

function getProfit(fact: FlowingFact): bigint {
  switch (fact.type) {
    case 'ProfitAccrued':
    case 'InvestmentMatured':
    case 'InvestmentDenied':
      return fact.data.profitMinor
    case 'InvestmentCancelled':
      return -fact.data.profitReturnedMinor
    default:
      return 0n
  }
}

function getOrCreateInvestorQuarter(
  investors: Map<string, InvestorQuarter>,
  investorId: string,
  at: string,
): InvestorQuarter {
  const key = `${investorId} ${at}`
  const none = { availableMinor: 0n, heldMinor: 0n, principalMinor: 0n }
  const row = investors.get(key) ?? { investorId, at, ...none, profitMinor: 0n, paidInMinor: 0n }
  investors.set(key, row)
  return row
}

function addFactToFlows(flows: Map<string, FlowQuarter>, at: string, fact: FlowingFact): void {
  const none = { depositsMinor: 0n, withdrawalsMinor: 0n, profitMinor: 0n, investedMinor: 0n }
  const row = flows.get(at) ?? { at, ...none }
  flows.set(at, row)
  row.profitMinor += getProfit(fact)
  switch (fact.type) {
    case 'DepositApproved':
      row.depositsMinor += fact.data.amountMinor
      return
    case 'DepositReversed':
      row.depositsMinor +=
        fact.data.to === 'success' ? fact.data.amountMinor : -fact.data.amountMinor
      return
    case 'WithdrawalApproved':
      row.withdrawalsMinor += fact.data.amountMinor
      return
    case 'WithdrawalReversed':
      row.withdrawalsMinor +=
        fact.data.to === 'success' ? fact.data.amountMinor : -fact.data.amountMinor
      return
    case 'InvestmentOpened':
      row.investedMinor += fact.data.principalMinor
      return
    case 'InvestmentCancelled':
      row.investedMinor -= fact.data.principalMinor
      return
    case 'ProfitAccrued':
    case 'InvestmentMatured':
    case 'InvestmentDenied':
      return
  }
}
