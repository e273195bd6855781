import { permitImport } from '@cairn/gateway-contracts'
import { declareRoute, type Route } from '../../platform/http/registry.ts'
import { type RequestDependencies, submitOrRequest } from '../change-requests/index.ts'
import { createImportChange } from './import-change.ts'

/** Creates the route that permits the import of a file of opening balances. */
export function createOpeningBalanceRoutes(deps: RequestDependencies): readonly Route[] {
  const definition = createImportChange(deps)
  return [
    declareRoute(
      permitImport,
      { rate: 'write', owner: 'any', audit: 'ledger.permit-import', needsFreshFactor: true },
      async ({ body: { sha256, reason } }, exchange) => {
        const { event } = await submitOrRequest(deps, exchange, {
          type: 'PermitImport',
          definition,
          data: { fileSha256: sha256 },
          key: exchange.key,
          about: null,
          reason,
          fields: ['sha256', 'reason'],
        })
        exchange.note({ subject: sha256, event: String(event.seq), reason })
        return { sha256 }
      },
    ),
  ]
}
