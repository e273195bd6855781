import {
  exportInvestments,
  exportMyInvestments,
  type Investment,
  type ParsedRequestOf,
} from '@cairn/gateway-contracts'
import type { Dependencies } from '../dependencies.ts'
import { type CsvValue, csvAnswer } from '../http/csv.ts'
import { callerOf, fileRoute, type Route } from '../http/registry.ts'
import { toInvestment } from './investment.ts'
import { listPage } from './list.ts'
import { toAdminInvestments } from './routes.ts'

const ROWS_PER_READ = 1_000

type Columns = Readonly<Record<string, (row: Investment) => CsvValue>>
type Filter = ParsedRequestOf<typeof exportInvestments>['query']

const COLUMNS: Columns = {
  Reference: ({ reference }) => reference,
  Plan: ({ plan }) => plan.name,
  Status: ({ status }) => status,
  Amount: ({ amount }) => amount.toFixed(2),
  Profit: ({ profit }) => profit.toFixed(2),
  'Promised profit': ({ expectedProfit }) => expectedProfit.toFixed(2),
  'Principal returns': ({ returnPrincipal }) => returnPrincipal,
  Started: ({ createdAt }) => createdAt,
  Expires: ({ expiryDate }) => expiryDate,
  Ended: ({ endedAt }) => endedAt,
}
const ADMIN_COLUMNS: Columns = {
  ...COLUMNS,
  User: ({ user }) => user?.name ?? 'Unknown User',
  Email: ({ user }) => user?.email ?? null,
}

export function investmentExportRoutes(deps: Dependencies): readonly Route[] {
  const fileName = 'investments.csv'
  return [
    fileRoute(
      exportInvestments,
      { rate: 'read', owner: 'any', audit: 'investment.export' },
      async ({ query }, exchange) => {
        exchange.note({ ...query })
        return csvAnswer({ fileName, columns: ADMIN_COLUMNS, rows: read(deps, query, null) })
      },
    ),
    fileRoute(
      exportMyInvestments,
      { rate: 'read', owner: 'own', audit: null },
      async ({ query }, exchange) => {
        const rows = read(deps, query, callerOf(exchange).userId)
        return csvAnswer({ fileName, columns: COLUMNS, rows })
      },
    ),
  ]
}

async function* read(
  deps: Dependencies,
  filter: Filter,
  ownerId: string | null,
): AsyncGenerator<Investment> {
  let after: string | undefined
  do {
    const page = { ...filter, page: 1, limit: ROWS_PER_READ, after }
    const { investments, meta } = await listPage(deps, page, ownerId)
    yield* ownerId === null
      ? await toAdminInvestments(deps, investments)
      : investments.map(toInvestment)
    after = meta.next ?? undefined
  } while (after !== undefined)
}
