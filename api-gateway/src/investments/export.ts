import { exportInvestments, exportMyInvestments, type Investment } from '@cairn/gateway-contracts'
import type { Dependencies } from '../dependencies.ts'
import { type Columns, listExportRoutes } from '../http/list-export.ts'
import type { Route } from '../http/registry.ts'
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

export function investmentExportRoutes(deps: Dependencies): readonly Route[] {
  return listExportRoutes({
    fileName: 'investments.csv',
    all: { endpoint: exportInvestments, columns: ADMIN_COLUMNS, audit: 'investment.export' },
    own: { endpoint: exportMyInvestments, columns: COLUMNS },
    readPage: async ({ query }, place, ownerId) => {
      const { investments, meta } = await listPage(deps, { ...query, ...place }, ownerId)
      const rows =
        ownerId === null
          ? await toAdminInvestments(deps, investments)
          : investments.map(toInvestment)
      return { rows, next: meta.next }
    },
  })
}
