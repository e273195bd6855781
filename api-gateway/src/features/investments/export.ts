import { exportInvestments, exportMyInvestments, type Investment } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type Columns, createCsvRoute } from '../../platform/http/list-export.ts'
import { getCaller, type Route } from '../../platform/http/registry.ts'
import { toInvestment } from './investment.ts'
import { listPage } from './list.ts'
import { toAdminInvestments } from './routes.ts'

const COLUMNS: Columns<Investment> = {
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
const ADMIN_COLUMNS: Columns<Investment> = {
  ...COLUMNS,
  User: ({ user }) => user?.name ?? 'Unknown User',
  Email: ({ user }) => user?.email ?? null,
}

export function createInvestmentExportRoutes(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
): readonly Route[] {
  const fileName = 'investments.csv'
  return [
    createCsvRoute({
      endpoint: exportInvestments,
      fileName,
      audit: 'investment.export',
      columns: ADMIN_COLUMNS,
      readPage: async ({ query }, place, exchange) => {
        const filter = { ...query, ...place }
        const { investments, meta } = await listPage(deps, filter, getCaller(exchange))
        return { rows: await toAdminInvestments(deps, investments), next: meta.next }
      },
    }),
    createCsvRoute({
      endpoint: exportMyInvestments,
      fileName,
      audit: null,
      columns: COLUMNS,
      readPage: async ({ query }, place, exchange) => {
        const { userId: ownerId } = getCaller(exchange)
        const { investments, meta } = await listPage(deps, { ...query, ...place }, { ownerId })
        return { rows: investments.map(toInvestment), next: meta.next }
      },
    }),
  ]
}
