import { queryOptions } from '@tanstack/react-query'
import { getRootKey } from '../../shared/api/query-keys.ts'
import { readPublic } from '../../shared/api/read-public.ts'

const STALE_AFTER_MS = 300_000

/** Reads the public keys of a ledger other than the first one of the site. */
export const readLedgerKey = (ledger: number) =>
  queryOptions({
    queryKey: [...getRootKey('logKey'), 'ledger', ledger],
    queryFn: ({ signal }) => readPublic('/public/log-key', signal, `?ledger=${ledger}`),
    staleTime: STALE_AFTER_MS,
  })
