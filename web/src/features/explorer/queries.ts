import {
  getConsistency,
  getDurability,
  getLogAccount,
  getLogEvent,
  getSigningKey,
  getTrialBalance,
  type LogEvent,
  listCheckpoints,
  listLogAccounts,
  listLogEvents,
  listVerifications,
  permitImport,
  permitKeyRotation,
  type RequestOf,
  type ResponseOf,
  startVerification,
} from '@cairn/gateway-contracts'
import { splitEventNumber } from '@cairn/gateway-contracts/event-numbers'
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { useKeyedMutation } from '../../shared/api/keyed-mutation.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'
import { toLedgerQuery } from '../../shared/url/ledger-of-url.ts'
import { RULES_EVENT } from './compare-rules.ts'

export type { LogEvent }

type EventQuery = Omit<NonNullable<RequestOf<typeof listLogEvents>['query']>, 'before'>

/**
 * The times for which the page of an account shows a balance, and the ledger. For a null time, the
 * page shows no balance.
 */
interface AccountView {
  at: string | null
  effectiveAt: string | null
  ledger: number | null
}

const all = getRootKey('ledger')
const RUN_POLL_MS = 1_000
/** The parts of the ledger that one search reads. The server searches 50,000 events per part. */
const PARTS_MAX = 20

export const explorerQueries = {
  listEvents: (query: EventQuery) =>
    infiniteQueryOptions({
      queryKey: [isSearch(query) ? 'ledgerSearch' : 'ledger', 'events', query],
      queryFn: ({ pageParam, signal }) => searchEvents({ query, before: pageParam }, signal),
      initialPageParam: null as string | null,
      getNextPageParam: ({ meta }) => meta.next,
    }),
  readEvent: (seq: string) =>
    queryOptions({
      queryKey: [...all, 'event', seq],
      queryFn: ({ signal }) => call(getLogEvent, { params: { seq } }, signal),
    }),
  /** The event that set the money rules before event `seq`; null if there is none. */
  findPreviousRules: (seq: string) =>
    queryOptions({
      queryKey: [...all, 'previous-rules', seq],
      queryFn: async ({ signal }) => {
        const ledger = toLedgerQuery(splitEventNumber(seq).ledger)
        const query = { ...ledger, type: RULES_EVENT, limit: 1 }
        const { events } = await searchEvents({ query, before: seq }, signal)
        return events[0] ?? null
      },
    }),
  listAccounts: (prefix: string, ledger: number | null) =>
    infiniteQueryOptions({
      queryKey: [...all, 'accounts', prefix, ledger],
      queryFn: ({ pageParam, signal }) => {
        const query = { ...toLedgerQuery(ledger), prefix }
        return call(
          listLogAccounts,
          { query: pageParam === null ? query : { ...query, after: pageParam } },
          signal,
        )
      },
      initialPageParam: null as string | null,
      getNextPageParam: ({ meta }) => meta.next,
    }),
  readAccount: (account: string, { at, effectiveAt, ledger }: AccountView) =>
    infiniteQueryOptions({
      queryKey: [...all, 'account', account, at, effectiveAt, ledger],
      queryFn: ({ pageParam, signal }) =>
        call(
          getLogAccount,
          {
            params: { account },
            query: {
              ...toLedgerQuery(ledger),
              ...(at === null ? {} : { at }),
              ...(effectiveAt === null ? {} : { effectiveAt }),
              ...(pageParam === null ? {} : { before: pageParam }),
            },
          },
          signal,
        ),
      initialPageParam: null as string | null,
      getNextPageParam: ({ meta }) => meta.next,
    }),
  readTrialBalance: (at: string | null, ledger: number | null) =>
    queryOptions({
      queryKey: [...all, 'trial-balance', at, ledger],
      queryFn: ({ signal }) => {
        const query = { ...toLedgerQuery(ledger), ...(at === null ? {} : { at }) }
        return call(getTrialBalance, { query }, signal)
      },
    }),
  listCheckpoints: (ledger: number | null) =>
    infiniteQueryOptions({
      queryKey: [...all, 'checkpoints', ledger],
      queryFn: ({ pageParam, signal }) => {
        const query = toLedgerQuery(ledger)
        return call(
          listCheckpoints,
          { query: pageParam === null ? query : { ...query, before: pageParam } },
          signal,
        )
      },
      initialPageParam: null as string | null,
      getNextPageParam: ({ meta }) => meta.next,
    }),
  readSigningKey: () =>
    queryOptions({
      queryKey: [...all, 'signing-key'],
      queryFn: ({ signal }) => call(getSigningKey, {}, signal),
      select: ({ signingKey }) => signingKey,
    }),
  readDurability: () =>
    queryOptions({
      queryKey: [...all, 'durability'],
      queryFn: ({ signal }) => call(getDurability, {}, signal),
    }),
  listVerifications: (ledger: number | null) =>
    queryOptions({
      queryKey: [...all, 'verifications', ledger],
      queryFn: ({ signal }) => call(listVerifications, { query: toLedgerQuery(ledger) }, signal),
      refetchInterval: ({ state }) =>
        state.data?.verifications.some((run) => run.state === 'running') === true
          ? RUN_POLL_MS
          : false,
    }),
}

/** True if the filter has no index, so that the server reads the events one after another. */
function isSearch({ type, actor, amount }: EventQuery): boolean {
  return type !== undefined || actor !== undefined || amount !== undefined
}

/**
 * Reads the newest matching events before event `before`; null starts with the newest event of the
 * ledger. One call searches a part of the ledger. While nothing is found, the next part is searched,
 * up to `PARTS_MAX` parts.
 */
async function searchEvents(
  { query, before }: { query: EventQuery; before: string | null },
  signal: AbortSignal,
): Promise<ResponseOf<typeof listLogEvents>> {
  let next = before
  for (let part = 1; ; part += 1) {
    const request = { query: next === null ? query : { ...query, before: next } }
    const page = await call(listLogEvents, request, signal)
    next = page.meta.next
    if (page.events.length > 0 || next === null || part === PARTS_MAX) return page
  }
}

export function readConsistency(sizes: { from: string; to: string; ledger?: number }) {
  return call(getConsistency, { query: sizes })
}

export function useStartVerification(ledger: number | null) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (since: string) =>
      call(startVerification, { body: { ...toLedgerQuery(ledger), since } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: [...all, 'verifications'] }),
  })
}

/**
 * Permits the replacement of the signing key, or proposes the permission to a second administrator.
 */
export function usePermitKeyRotation() {
  const queryClient = useQueryClient()
  return useKeyedMutation({
    send: (reason: string, idempotencyKey) =>
      call(permitKeyRotation, { body: { reason }, idempotencyKey }),
    reload: () => queryClient.invalidateQueries({ queryKey: [...all, 'signing-key'] }),
  })
}

/**
 * Permits the import of a file of opening balances, or proposes the permission to a second
 * administrator.
 */
export function usePermitImport(sha256: string) {
  return useKeyedMutation({
    describeContent: (reason: string) => `${sha256} ${reason}`,
    send: (reason, idempotencyKey) =>
      call(permitImport, { body: { sha256, reason }, idempotencyKey }),
  })
}
