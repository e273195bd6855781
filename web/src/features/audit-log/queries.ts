import {
  type AuditChain,
  type AuditEntry,
  checkAuditChain,
  listAudit,
  type RequestOf,
} from '@cairn/gateway-contracts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { AuditChain, AuditEntry }

type AuditQuery = NonNullable<RequestOf<typeof listAudit>['query']>

const all = getRootKey('audit')

export const auditLogQueries = {
  listEntries: (query: AuditQuery) =>
    queryOptions({
      queryKey: [...all, 'list', query],
      queryFn: ({ signal }) => call(listAudit, { query }, signal),
    }),
  /** Checks the whole audit chain. The check reads every row, so it runs again only on request. */
  readChainState: () =>
    queryOptions({
      queryKey: [...all, 'chain'],
      queryFn: ({ signal }) => checkWholeChain(signal),
      staleTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
    }),
  /** The audit log, page by page. */
  listEntryPages: (query: AuditQuery) =>
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

/**
 * Calls the server until all rows are checked, because each call checks only a limited number of
 * rows.
 */
async function checkWholeChain(signal: AbortSignal): Promise<AuditChain> {
  let { chain } = await call(checkAuditChain, { query: {} }, signal)
  while (chain.next !== null) {
    const { after, afterSeal } = chain.next
    const query = afterSeal === null ? { after } : { after, afterSeal }
    const { seal } = chain
    const { chain: part } = await call(checkAuditChain, { query }, signal)
    chain = { ...part, seal: part.seal ?? seal }
  }
  return chain
}
