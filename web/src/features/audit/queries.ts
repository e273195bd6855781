import { type AuditEntry, listAudit, type RequestOf } from '@cairn/gateway-contracts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'

import { call } from '../../api/client.ts'

export type { AuditEntry }
export type AuditQuery = NonNullable<RequestOf<typeof listAudit>['query']>

export const auditQueries = {
  list: (query: AuditQuery) =>
    queryOptions({
      queryKey: ['audit', query],
      queryFn: ({ signal }) => call(listAudit, { query }, signal),
      placeholderData: keepPreviousData,
    }),
}
