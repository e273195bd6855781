import { queryOptions } from '@tanstack/react-query'

import { getRootKey } from '../../shared/api/query-keys.ts'
import { readPublic } from '../../shared/api/read-public.ts'

const DAY_MS = 86_400_000
const STALE_AFTER_MS = 300_000

export const verifyQueries = {
  /**
   * The public keys of the first ledger, and the numbers of the ledgers. The browser keeps them for a
   * day, so that verification works offline. It loads them again after some minutes, because the
   * signing key can have changed.
   */
  readLogKey: () =>
    queryOptions({
      queryKey: getRootKey('logKey'),
      queryFn: ({ signal }) => readPublic('/public/log-key', signal),
      staleTime: STALE_AFTER_MS,
      gcTime: DAY_MS,
    }),
  /** The newest result of a verification of the ledger by the operator. */
  readLastVerification: () =>
    queryOptions({
      queryKey: [...getRootKey('logKey'), 'verification'],
      queryFn: ({ signal }) => readPublic('/public/verification', signal),
      staleTime: STALE_AFTER_MS,
    }),
}
