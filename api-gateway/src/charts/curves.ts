import {
  type AccountKind,
  type EventType,
  type Fact,
  kindOf,
  parseFact,
  type RecordedEvent,
} from '@cairn/ledger-contracts'

/** What one day adds, summed over the events of a page. */
export interface DayCurves {
  operator: ReadonlyMap<string, { day: string; kind: AccountKind; amountMinor: bigint }>
  investors: ReadonlyMap<string, InvestorDay>
  flows: ReadonlyMap<string, FlowDay>
}

export interface InvestorDay {
  investorId: string
  day: string
  availableMinor: bigint
  heldMinor: bigint
  principalMinor: bigint
  profitMinor: bigint
}

export interface FlowDay {
  day: string
  depositsMinor: bigint
  withdrawalsMinor: bigint
  profitMinor: bigint
  investedMinor: bigint
}

const FLOWING = [
  'DepositApproved',
  'DepositReversed',
  'WithdrawalApproved',
  'WithdrawalReversed',
  'ProfitAccrued',
  'InvestmentMatured',
  'InvestmentOpened',
  'InvestmentCancelled',
] as const satisfies readonly EventType[]
type FlowingFact = Extract<Fact, { type: (typeof FLOWING)[number] }>
const FLOWING_TYPES: ReadonlySet<string> = new Set(FLOWING)

/** By day of effective time in UTC: a chart shows when things happened, not when they were entered. */
export function sumByDay(events: readonly RecordedEvent[]): DayCurves {
  const operator = new Map<string, { day: string; kind: AccountKind; amountMinor: bigint }>()
  const investors = new Map<string, InvestorDay>()
  const flows = new Map<string, FlowDay>()
  for (const event of events) {
    const day = event.effectiveAt.slice(0, 10)
    for (const { account, amountMinor } of event.postings) {
      const kind = kindOf(account)
      const known = operator.get(`${day} ${kind}`)
      const sum = (known?.amountMinor ?? 0n) + amountMinor
      operator.set(`${day} ${kind}`, { day, kind, amountMinor: sum })
      addToInvestor(investors, { account, kind, day, amountMinor })
    }
    if (!FLOWING_TYPES.has(event.type)) continue
    // The set holds exactly the types of the union.
    const fact = parseFact(event.type, event.data) as FlowingFact
    addToFlows(flows, day, fact)
    addProfit(investors, day, fact)
  }
  return { operator, investors, flows }
}

function addToInvestor(
  investors: Map<string, InvestorDay>,
  posting: { account: string; kind: AccountKind; day: string; amountMinor: bigint },
): void {
  const { account, kind, day, amountMinor } = posting
  if (!account.startsWith('investor:')) return
  const investorId = account.split(':')[1] ?? ''
  const row = investorDay(investors, investorId, day)
  if (kind === 'principal') row.principalMinor += amountMinor
  else if (kind.startsWith('held:')) row.heldMinor += amountMinor
  else row.availableMinor += amountMinor
}

function addProfit(investors: Map<string, InvestorDay>, day: string, fact: FlowingFact): void {
  const profitMinor = profitOf(fact)
  if (profitMinor !== 0n) {
    investorDay(investors, fact.data.investorId, day).profitMinor += profitMinor
  }
}

function profitOf(fact: FlowingFact): bigint {
  switch (fact.type) {
    case 'ProfitAccrued':
    case 'InvestmentMatured':
      return fact.data.profitMinor
    case 'InvestmentCancelled':
      return -fact.data.profitReturnedMinor
    default:
      return 0n
  }
}

function investorDay(
  investors: Map<string, InvestorDay>,
  investorId: string,
  day: string,
): InvestorDay {
  const key = `${investorId} ${day}`
  const none = { availableMinor: 0n, heldMinor: 0n, principalMinor: 0n, profitMinor: 0n }
  const row = investors.get(key) ?? { investorId, day, ...none }
  investors.set(key, row)
  return row
}

function addToFlows(flows: Map<string, FlowDay>, day: string, fact: FlowingFact): void {
  const none = { depositsMinor: 0n, withdrawalsMinor: 0n, profitMinor: 0n, investedMinor: 0n }
  const row = flows.get(day) ?? { day, ...none }
  flows.set(day, row)
  row.profitMinor += profitOf(fact)
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
      return
  }
}
