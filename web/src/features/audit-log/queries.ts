import { type AuditEntry, listAudit, type RequestOf } from '@cairn/gateway-contracts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { AuditEntry }

type AuditQuery = NonNullable<RequestOf<typeof listAudit>['query']>

const all = getRootKey('audit')

export const auditLogQueries = {
  list: (query: AuditQuery) =>
    queryOptions({
      queryKey: [...all, 'list', query],
      queryFn: ({ signal }) => call(listAudit, { query }, signal),
    }),
  /** The audit log, page by page. */
  trail: (query: AuditQuery) =>
    infiniteQueryOptions({
      queryKey: [...all, 'trail', query],
      queryFn: ({ pageParam, signal }) =>
        call(
          listAudit,
          { query: pageParam === null ? query : { ...query, before: pageParam } },
          signal,
        ),
      initialPageParam: null as string | null,
      getNextPageParam: ({ meta }) => meta.next,
    }),
}
