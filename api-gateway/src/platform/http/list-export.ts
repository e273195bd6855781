import type { Endpoint, ParsedRequestOf, ResponseOf } from '@cairn/gateway-contracts'
import { type CsvValue, csvAnswer } from './csv.ts'
import { type Exchange, fileRoute, type Route, route } from './registry.ts'

const ROWS_PER_READ = 1_000

export type Columns<Row> = Readonly<Record<string, (row: Row) => CsvValue>>

/** Where a reading goes on: behind a row, however far down it is. */
export interface Place {
  page: number
  limit: number
  after: string | undefined
}

export interface RowPage<Row> {
  rows: readonly Row[]
  /** Where the next page goes on; null at the end. */
  next: string | null
}

interface CsvExport<Csv extends Endpoint, Row> {
  endpoint: Csv
  fileName: string
  columns: Columns<Row>
  /** Everybody's rows are audited under this name; null for one's own. */
  audit: string | null
  readPage(request: ParsedRequestOf<Csv>, place: Place, exchange: Exchange): Promise<RowPage<Row>>
}

/** A list as a file: all rows that its filter leaves, written while they are read. */
export function csvRoute<Csv extends Endpoint, Row>({
  endpoint,
  fileName,
  columns,
  audit,
  readPage,
}: CsvExport<Csv, Row>): Route {
  const options = { rate: 'read', owner: audit === null ? 'own' : 'any', audit } as const
  return fileRoute(endpoint, options, async (request, exchange) => {
    if (audit !== null) exchange.note({ filter: toFilter(request) })
    const read = (after?: string) =>
      readPage(request, { page: 1, limit: ROWS_PER_READ, after }, exchange)
    // Before the answer begins, so that what cannot be asked for is still refused.
    const first = await read()
    return csvAnswer({ fileName, columns, rows: readRows(first, read) })
  })
}

interface ListWithCsv<List extends Endpoint, Csv extends Endpoint, Row> {
  list: List
  read(request: ParsedRequestOf<List>, exchange: Exchange): Promise<ResponseOf<List>>
  csv: Omit<CsvExport<Csv, Row>, 'readPage'> & {
    /** What asks the list for one page. */
    toRequest(request: ParsedRequestOf<Csv>, place: Place): ParsedRequestOf<List>
    toPage(answer: ResponseOf<List>): RowPage<Row>
  }
}

/** A list, and its file made of nothing but what the list itself answers. */
export function listRoutes<List extends Endpoint, Csv extends Endpoint, Row>({
  list,
  read,
  csv,
}: ListWithCsv<List, Csv, Row>): readonly Route[] {
  const { toRequest, toPage, ...rest } = csv
  const owner = csv.audit === null ? 'own' : 'any'
  return [
    route(list, { rate: 'read', owner, audit: null }, read),
    csvRoute({
      ...rest,
      readPage: async (request, place, exchange) =>
        toPage(await read(toRequest(request, place), exchange)),
    }),
  ]
}

/** Of a list without pages. */
export function whole<Row>(rows: readonly Row[]): RowPage<Row> {
  return { rows, next: null }
}

function toFilter(request: object): Record<string, unknown> {
  // Whatever a request holds beside these is not part of a filter.
  const { params = {}, query = {} } = request as { params?: object; query?: object }
  return { ...params, ...query }
}

/** All rows, a page at a time, each page behind the last row of the one before. */
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
