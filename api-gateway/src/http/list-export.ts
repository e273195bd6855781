import type { Endpoint, ParsedRequestOf } from '@cairn/gateway-contracts'
import type { z } from 'zod'
import { type CsvValue, csvAnswer } from './csv.ts'
import { callerOf, fileRoute, type Route } from './registry.ts'

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
  /** The last row of this page; null at the end. */
  next: string | null
}

type Listing = Endpoint<z.ZodObject<{ query: z.ZodObject }>>

interface ListExport<All extends Listing, Own extends Listing, Row> {
  fileName: string
  /** Everybody's rows, for administrators; each export of them is audited under this name. */
  all: { endpoint: All; columns: Columns<Row>; audit: string }
  own: { endpoint: Own; columns: Columns<Row> }
  /** `ownerId` null: everybody's. */
  readPage(
    request: ParsedRequestOf<All> | ParsedRequestOf<Own>,
    place: Place,
    ownerId: string | null,
  ): Promise<RowPage<Row>>
}

/** One list as two files: everybody's rows, and one's own. */
export function listExportRoutes<All extends Listing, Own extends Listing, Row>({
  fileName,
  all,
  own,
  readPage,
}: ListExport<All, Own, Row>): readonly Route[] {
  return [
    fileRoute(
      all.endpoint,
      { rate: 'read', owner: 'any', audit: all.audit },
      async (request, exchange) => {
        exchange.note({ ...request.query })
        const rows = readRows((place) => readPage(request, place, null))
        return csvAnswer({ fileName, columns: all.columns, rows })
      },
    ),
    fileRoute(
      own.endpoint,
      { rate: 'read', owner: 'own', audit: null },
      async (request, exchange) => {
        const { userId } = callerOf(exchange)
        const rows = readRows((place) => readPage(request, place, userId))
        return csvAnswer({ fileName, columns: own.columns, rows })
      },
    ),
  ]
}

/** All rows, a page at a time, each page behind the last row of the one before. */
export async function* readRows<Row>(
  readPage: (place: Place) => Promise<RowPage<Row>>,
): AsyncGenerator<Row> {
  let after: string | undefined
  do {
    const { rows, next } = await readPage({ page: 1, limit: ROWS_PER_READ, after })
    yield* rows
    after = next ?? undefined
  } while (after !== undefined)
}
