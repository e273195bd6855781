import type { AuditAction, Endpoint, ParsedRequestOf, ResponseOf } from '@cairn/gateway-contracts'
import { maskAnswer } from '../access/mask-answer.ts'
import { type CsvValue, createCsvAnswer } from './csv.ts'
import { createFileRoute, declareRoute, type Exchange, type Route } from './registry.ts'

const ROWS_PER_READ = 1_000

export type Columns<Row> = Readonly<Record<string, (row: Row) => CsvValue>>

/** Selects one page of a list: the rows after the place `after`, the `next` of the page before. */
export interface ListCursor {
  page: number
  limit: number
  after: string | undefined
}

export interface RowPage<Row> {
  rows: readonly Row[]
  /**
   * The place of the last row, after which the next page starts; null on the last page. If the value
   * by which the list is sorted can change, the place contains the value: an id alone would then be
   * at another place in the list, and rows would be missing or repeated.
   */
  next: string | null
}

interface CsvExport<Csv extends Endpoint, Row> {
  endpoint: Csv
  fileName: string
  columns: Columns<Row>
  /** The audit action of the export; null if the export contains only the caller's own rows. */
  audit: AuditAction | null
  readPage(
    request: ParsedRequestOf<Csv>,
    place: ListCursor,
    exchange: Exchange,
  ): Promise<RowPage<Row>>
}

/** Creates a route that streams all rows that match the filter as CSV. */
export function createCsvRoute<Csv extends Endpoint, Row>({
  endpoint,
  fileName,
  columns,
  audit,
  readPage,
}: CsvExport<Csv, Row>): Route {
  const owner = audit === null ? 'own' : 'any'
  const options = { rate: 'read', owner, audit, isExport: true } as const
  return createFileRoute(endpoint, options, async (request, exchange) => {
    if (audit !== null) exchange.note({ filter: toFilter(request) })
    const read = (after?: string) =>
      readPage(request, { page: 1, limit: ROWS_PER_READ, after }, exchange)
    // The first page is read before the response starts, so that errors still get their status.
    const first = await read()
    const { caller } = exchange
    async function* readMaskedRows() {
      for await (const row of readRows(first, read)) yield maskAnswer(row, { endpoint, caller })
    }
    return createCsvAnswer({ fileName, columns, rows: readMaskedRows() })
  })
}

interface ListWithCsv<List extends Endpoint, Csv extends Endpoint, Row> {
  list: List
  read(request: ParsedRequestOf<List>, exchange: Exchange): Promise<ResponseOf<List>>
  csv: Omit<CsvExport<Csv, Row>, 'readPage'> & {
    /** Returns the request for one page of the list. */
    toRequest(request: ParsedRequestOf<Csv>, place: ListCursor): ParsedRequestOf<List>
    toPage(answer: ResponseOf<List>): RowPage<Row>
  }
}

/** Creates the routes of a list and of its CSV export, which reads the list page by page. */
export function createListRoutes<List extends Endpoint, Csv extends Endpoint, Row>({
  list,
  read,
  csv,
}: ListWithCsv<List, Csv, Row>): readonly Route[] {
  const { toRequest, toPage, ...rest } = csv
  const owner = csv.audit === null ? 'own' : 'any'
  return [
    declareRoute(list, { rate: 'read', owner, audit: null }, read),
    createCsvRoute({
      ...rest,
      readPage: async (request, place, exchange) =>
        toPage(await read(toRequest(request, place), exchange)),
    }),
  ]
}

/** Returns a list without pagination as a single page. */
export function toSinglePage<Row>(rows: readonly Row[]): RowPage<Row> {
  return { rows, next: null }
}

function toFilter(request: object): Record<string, unknown> {
  // The filter consists of the path parameters and the query, and of nothing else.
  const { params = {}, query = {} } = request as { params?: object; query?: object }
  const filter: Record<string, unknown> = { ...params, ...query }
  // The text of a search is not recorded, because it can be a name or an address.
  if (typeof filter.q === 'string') filter.q = true
  return filter
}

/** Yields all rows, reading one page at a time. */
async function* readRows<Row>(
  first: RowPage<Row>,
  read: (after: string) => Promise<RowPage<Row>>,
): AsyncGenerator<Row> {
  yield* first.rows
  for (let { next } = first; next !== null; ) {
    const page = await read(next)
    yield* page.rows
    next = page.next
  }
}
