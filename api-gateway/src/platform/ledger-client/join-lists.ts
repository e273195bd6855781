import {
  type LedgerClient,
  type LedgerInvestment,
  type LedgerTransaction,
  PAGE_LIMIT_MAX,
  type QueryName,
  type QueryRequest,
  type QueryResponse,
} from '@cairn/ledger-contracts'
import { sumCounts, sumMinor } from './join-answers.ts'

type ListName = 'transactions' | 'investments'

/** One of the ledgers from which a list is read. */
export interface ListPart<Request> {
  client: LedgerClient
  /** Rows of the ledger with the lower place count as recorded first. */
  place: number
  request: Request
}

/** Answers a query from several ledgers. */
export type Listing<Name extends QueryName> = (
  parts: readonly ListPart<QueryRequest<Name>>[],
  request: QueryRequest<Name>,
) => Promise<QueryResponse<Name>>

/** The place of a row in the list of all ledgers. */
interface RowPlace {
  id: string
  at: string
  amountMinor: bigint
  seq: bigint
}

/** How rows of a list are found, compared and joined. */
interface List<Name extends ListName, Row> {
  ask: (client: LedgerClient, request: QueryRequest<Name>) => Promise<QueryResponse<Name>>
  find: (client: LedgerClient, id: string) => Promise<Row | null>
  getRows: (answer: QueryResponse<Name>) => readonly Row[]
  toPlace: (row: Row) => RowPlace
  join: (answers: readonly QueryResponse<Name>[], rows: Row[]) => QueryResponse<Name>
}

const transactions: List<'transactions', LedgerTransaction> = {
  ask: (client, request) => client.ask('transactions', request),
  find: async (client, transactionId) =>
    (await client.ask('transaction', { transactionId })).transaction,
  getRows: (answer) => answer.transactions,
  toPlace: ({ transactionId: id, createdAt: at, amountMinor, seq }) => ({
    id,
    at,
    amountMinor,
    seq,
  }),
  join: (answers, rows) => ({
    transactions: rows,
    total: sumCounts(answers.map(({ total }) => total)),
    totalMinor: sumMinor(answers.map(({ totalMinor }) => totalMinor)),
  }),
}

const investments: List<'investments', LedgerInvestment> = {
  ask: (client, request) => client.ask('investments', request),
  find: async (client, investmentId) =>
    (await client.ask('investment', { investmentId })).investment,
  getRows: (answer) => answer.investments,
  toPlace: ({ investmentId: id, startedAt: at, principalMinor: amountMinor, seq }) => ({
    id,
    at,
    amountMinor,
    seq,
  }),
  join: (answers, rows) => ({
    investments: rows,
    total: sumCounts(answers.map(({ total }) => total)),
    investedMinor: sumMinor(answers.map(({ investedMinor }) => investedMinor)),
    profitMinor: sumMinor(answers.map(({ profitMinor }) => profitMinor)),
    activeCount: sumCounts(answers.map(({ activeCount }) => activeCount)),
  }),
}

/**
 * Read a page of a list from several ledgers. Rows are sorted by time or amount, then by ledger,
 * then by the number of their events, so a row has one place in the list of all ledgers. A page
 * after or before a row begins at this place in each of them.
 */
export const LISTINGS: { readonly [Name in QueryName]?: Listing<Name> } = {
  transactions: (parts, request) => readPage(transactions, parts, request),
  investments: (parts, request) => readPage(investments, parts, request),
}

async function readPage<Name extends ListName, Row>(
  list: List<Name, Row>,
  parts: readonly ListPart<QueryRequest<Name>>[],
  request: QueryRequest<Name>,
): Promise<QueryResponse<Name>> {
  const { after, afterAmountMinor, before, order, limit } = request
  const anchorId = after ?? before
  // The rows before the page can all be rows of one ledger.
  const skipped = anchorId === undefined ? request.offset : 0
  const found = anchorId === undefined ? null : await findAnchor(list, parts, anchorId)
  const anchor = restoreAmount(found, after === undefined ? undefined : afterAmountMinor)
  const isBefore = after === undefined && before !== undefined
  const read = await Promise.all(
    parts.map((part) => {
      const bordered = moveToAnchor(part, { anchor, order, isBefore })
      return readRows(list, { ...part, request: bordered }, skipped + limit)
    }),
  )
  const rows = read
    .flatMap((one) => one.rows)
    .toSorted((one, other) => compareRows(list.toPlace(one), list.toPlace(other), order))
  const page = isBefore ? rows.slice(-limit) : rows.slice(skipped, skipped + limit)
  return list.join(
    read.map(({ answer }) => answer),
    page,
  )
}

/** The row at the border of the page, and the place of its ledger; null if no ledger has the row. */
type Anchor = { row: RowPlace; place: number } | null

async function findAnchor<Name extends ListName, Row>(
  list: List<Name, Row>,
  parts: readonly ListPart<QueryRequest<Name>>[],
  id: string,
): Promise<Anchor> {
  const found = await Promise.all(
    parts.map(async ({ client, place }) => {
      const row = await list.find(client, id)
      return row === null ? null : { row: list.toPlace(row), place }
    }),
  )
  return found.find((one) => one !== null) ?? null
}

/** Returns the anchor with the amount that it had when its page was read, if that is stated. */
function restoreAmount(anchor: Anchor, amountMinor: bigint | undefined): Anchor {
  if (anchor === null || amountMinor === undefined) return anchor
  return { ...anchor, row: { ...anchor.row, amountMinor } }
}

/**
 * Returns the request for the rows of one ledger after or before the anchor. Without an anchor, and
 * in the ledger of the anchor, the request stays the same.
 */
function moveToAnchor<Name extends ListName>(
  { request, place }: ListPart<QueryRequest<Name>>,
  { anchor, order, isBefore }: { anchor: Anchor; order: Order; isBefore: boolean },
): QueryRequest<Name> {
  if (anchor === null || anchor.place === place) return request
  const isLater = isAscending(order) ? place > anchor.place : place < anchor.place
  const { at, amountMinor } = anchor.row
  const border = { at, amountMinor, isBefore, isIncluded: isLater !== isBefore }
  const unanchored = { after: undefined, afterAmountMinor: undefined, before: undefined }
  return { ...request, ...unanchored, border }
}

/** Reads the first `count` rows, in pages of at most `PAGE_LIMIT_MAX` rows. */
async function readRows<Name extends ListName, Row>(
  list: List<Name, Row>,
  { client, request }: ListPart<QueryRequest<Name>>,
  count: number,
): Promise<{ answer: QueryResponse<Name>; rows: readonly Row[] }> {
  const limit = Math.min(count, PAGE_LIMIT_MAX)
  const answer = await list.ask(client, { ...request, offset: 0, limit })
  const rows = [...list.getRows(answer)]
  for (let isFull = rows.length === limit; isFull && rows.length < count; ) {
    const last = rows.at(-1)
    if (last === undefined) break
    const next = Math.min(count - rows.length, PAGE_LIMIT_MAX)
    const { id: after, amountMinor: afterAmountMinor } = list.toPlace(last)
    const rest = { ...request, offset: 0, limit: next, after, afterAmountMinor }
    const page = list.getRows(await list.ask(client, rest))
    rows.push(...page)
    isFull = page.length === next
  }
  return { answer, rows }
}

type Order = QueryRequest<ListName>['order']

const isAscending = (order: Order) => order === 'oldest' || order === 'smallest'

/** The numbers of events in the site sort rows by their ledger, then by their number in it. */
function compareRows(one: RowPlace, other: RowPlace, order: Order): number {
  const sign = isAscending(order) ? 1 : -1
  const isByAmount = order === 'largest' || order === 'smallest'
  const getKey = ({ at, amountMinor }: RowPlace) => (isByAmount ? amountMinor : Date.parse(at))
  const [first, second] = [getKey(one), getKey(other)]
  if (first !== second) return first < second ? -sign : sign
  // Rows of one event stay in the order of their ledger.
  if (one.seq === other.seq) return 0
  return one.seq < other.seq ? -sign : sign
}
