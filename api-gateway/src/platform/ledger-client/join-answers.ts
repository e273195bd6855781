import type { QueryName, QueryRequest, QueryResponse } from '@cairn/ledger-contracts'

type Totals = QueryResponse<'totals'>['totals']
type Maturing = QueryResponse<'maturities'>['later']

/** How the answers of several ledgers to one query become one answer. */
type Join<Name extends QueryName> = (
  answers: readonly QueryResponse<Name>[],
  request: QueryRequest<Name>,
) => QueryResponse<Name>

/** The queries whose answer comes from several ledgers. `join-lists.ts` joins lists of rows. */
export const JOINS: { readonly [Name in QueryName]?: Join<Name> } = {
  investors: (answers, { investorIds }) => {
    const known = new Map(
      answers.flatMap(({ investors }) => investors.map((one) => [one.investorId, one])),
    )
    return {
      investors: investorIds.flatMap((id) => {
        const found = known.get(id)
        return found === undefined ? [] : [found]
      }),
    }
  },
  balancesAfter: (answers) => ({ balances: answers.flatMap(({ balances }) => balances) }),
  totals: (answers) => ({ totals: sumTotals(answers.map(({ totals }) => totals)) }),
  maturities: (answers) => ({
    overdue: sumMaturing(answers.map(({ overdue }) => overdue)),
    later: sumMaturing(answers.map(({ later }) => later)),
    byDay: (answers[0]?.byDay ?? []).map(({ day }, place) => ({
      day,
      ...sumMaturing(answers.flatMap(({ byDay }) => byDay[place] ?? [])),
    })),
  }),
  // The median of all requests is at most the largest of the medians, and so is the 90th percentile.
  decisionTimes: (answers) => ({
    count: sumCounts(answers.map(({ count }) => count)),
    medianMs: Math.max(...answers.map(({ medianMs }) => medianMs)),
    p90Ms: Math.max(...answers.map(({ p90Ms }) => p90Ms)),
  }),
}

function sumTotals(all: readonly Totals[]): Totals {
  const byKind: Record<string, bigint> = {}
  for (const totals of all) {
    for (const [kind, minor] of Object.entries(totals.byKind)) {
      byKind[kind] = (byKind[kind] ?? 0n) + minor
    }
  }
  const transactions = Map.groupBy(
    all.flatMap((totals) => totals.transactions),
    ({ type, status }) => `${type} ${status}`,
  )
  const investments = Map.groupBy(
    all.flatMap((totals) => totals.investments),
    ({ status }) => status,
  )
  return {
    byKind,
    transactions: [...transactions.values()].flatMap(([first, ...others]) => {
      if (first === undefined) return []
      const group = [first, ...others]
      const count = sumCounts(group.map((row) => row.count))
      return [{ ...first, count, amountMinor: sumMinor(group.map((row) => row.amountMinor)) }]
    }),
    investments: [...investments].map(([status, group]) => ({
      status,
      count: sumCounts(group.map((row) => row.count)),
      amountMinor: sumMinor(group.map((row) => row.amountMinor)),
      profitMinor: sumMinor(group.map((row) => row.profitMinor)),
    })),
    activeInvestors: sumCounts(all.map((totals) => totals.activeInvestors)),
  }
}

function sumMaturing(all: readonly Maturing[]): Maturing {
  return {
    count: sumCounts(all.map(({ count }) => count)),
    principalMinor: sumMinor(all.map(({ principalMinor }) => principalMinor)),
    outstandingMinor: sumMinor(all.map(({ outstandingMinor }) => outstandingMinor)),
  }
}

export const sumMinor = (amounts: readonly bigint[]) =>
  amounts.reduce((sum, minor) => sum + minor, 0n)
export const sumCounts = (counts: readonly number[]) =>
  counts.reduce((sum, count) => sum + count, 0)
