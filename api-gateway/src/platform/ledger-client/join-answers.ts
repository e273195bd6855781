import {
  type LedgerInvestment,
  type LedgerTransaction,
  PAGE_LIMIT_MAX,
  type QueryName,
  type QueryRequest,
  type QueryResponse,
} from '@cairn/ledger-contracts'

type Totals = QueryResponse<'totals'>['totals']
type Maturing = QueryResponse<'maturities'>['later']
type ListRequest = QueryRequest<'transactions'> | QueryRequest<'investments'>
type Sorted = 'largest' | 'smallest' | 'newest' | 'oldest'

/** How the answers of several ledgers to one query become one answer. */
interface Joining<Name extends QueryName> {
  /** Returns what each ledger is asked. By default, the same. */
  widen?: (request: QueryRequest<Name>) => QueryRequest<Name>
  join: (
    answers: readonly QueryResponse<Name>[],
    request: QueryRequest<Name>,
  ) => QueryResponse<Name>
}

/**
 * The queries whose answer comes from several ledgers. Rows are sorted as in one ledger; of two rows
 * with the same time or amount, the one of the ledger with the lower number counts as recorded
 * first.
 */
export const JOININGS: { readonly [Name in QueryName]?: Joining<Name> } = {
  investors: {
    join: (answers, { investorIds }) => {
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
  },
  balancesAfter: {
    join: (answers) => ({ balances: answers.flatMap(({ balances }) => balances) }),
  },
  totals: { join: (answers) => ({ totals: sumTotals(answers.map(({ totals }) => totals)) }) },
  maturities: {
    join: (answers) => ({
      overdue: sumMaturing(answers.map(({ overdue }) => overdue)),
      later: sumMaturing(answers.map(({ later }) => later)),
      byDay: (answers[0]?.byDay ?? []).map(({ day }, place) => ({
        day,
        ...sumMaturing(answers.flatMap(({ byDay }) => byDay[place] ?? [])),
      })),
    }),
  },
  transactions: {
    widen: widenPage,
    join: (answers, request) => ({
      transactions: mergePages<LedgerTransaction>(
        answers.map(({ transactions }) => transactions),
        { request, getTime: (row) => row.createdAt, getAmount: (row) => row.amountMinor },
      ),
      total: sumCounts(answers.map(({ total }) => total)),
      totalMinor: sumMinor(answers.map(({ totalMinor }) => totalMinor)),
    }),
  },
  investments: {
    widen: widenPage,
    join: (answers, request) => ({
      investments: mergePages<LedgerInvestment>(
        answers.map(({ investments }) => investments),
        { request, getTime: (row) => row.startedAt, getAmount: (row) => row.principalMinor },
      ),
      total: sumCounts(answers.map(({ total }) => total)),
      investedMinor: sumMinor(answers.map(({ investedMinor }) => investedMinor)),
      profitMinor: sumMinor(answers.map(({ profitMinor }) => profitMinor)),
      activeCount: sumCounts(answers.map(({ activeCount }) => activeCount)),
    }),
  },
}

/** Asks for all rows up to the end of the page, because all of them can be rows of one ledger. */
function widenPage<Request extends ListRequest>(request: Request): Request {
  const { after, before, offset, limit } = request
  if (after !== undefined || before !== undefined || offset + limit > PAGE_LIMIT_MAX) {
    throw new Error(`a list over several ledgers ends after ${PAGE_LIMIT_MAX} rows`)
  }
  return { ...request, offset: 0, limit: offset + limit }
}

function mergePages<Row extends { seq: bigint }>(
  pages: readonly (readonly Row[])[],
  options: {
    request: { order: Sorted; offset: number; limit: number }
    getTime: (row: Row) => string
    getAmount: (row: Row) => bigint
  },
): Row[] {
  const { order, offset, limit } = options.request
  const isByAmount = order === 'largest' || order === 'smallest'
  const sign = order === 'newest' || order === 'largest' ? -1 : 1
  const getKey = (row: Row) =>
    isByAmount ? options.getAmount(row) : Date.parse(options.getTime(row))
  return pages
    .flat()
    .toSorted((one, other) => {
      const [first, second] = [getKey(one), getKey(other)]
      if (first !== second) return first < second ? -sign : sign
      return one.seq < other.seq ? -sign : sign
    })
    .slice(offset, offset + limit)
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

const sumMinor = (amounts: readonly bigint[]) => amounts.reduce((sum, minor) => sum + minor, 0n)
const sumCounts = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)
