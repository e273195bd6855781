import {
  approveChangeRequest,
  type ChangeDetail,
  type ChangeKind,
  type ChangeRequest,
  type ChangeState,
  countChangeRequests,
  getChangeRequest,
  getDualControl,
  listChangeRequests,
  rejectChangeRequest,
  withdrawChangeRequest,
} from '@cairn/gateway-contracts'
import {
  infiniteQueryOptions,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { ChangeDetail, ChangeKind, ChangeRequest, ChangeState }

const all = getRootKey('approvals')
const PER_PAGE = 25
const BESIDE_AN_OBJECT = 5
const DUAL_CONTROL_STALE_MS = 300_000

export type ChangeFilter = {
  state?: ChangeState | 'open' | undefined
  kind?: ChangeKind | undefined
}

export const approvalQueries = {
  listRequestPages: (filter: ChangeFilter) =>
    infiniteQueryOptions({
      queryKey: [...all, 'pages', filter],
      queryFn: ({ signal, pageParam }) =>
        call(
          listChangeRequests,
          { query: { ...filter, limit: PER_PAGE, after: pageParam ?? undefined } },
          signal,
        ),
      initialPageParam: null as string | null,
      getNextPageParam: ({ meta }) => meta.next,
    }),
  readRequest: (id: string) =>
    queryOptions({
      queryKey: [...all, 'one', id],
      queryFn: ({ signal }) => call(getChangeRequest, { params: { id } }, signal),
      select: ({ changeRequest }) => changeRequest,
    }),
  countOpenRequests: () =>
    queryOptions({
      queryKey: [...all, 'count'],
      queryFn: ({ signal }) => call(countChangeRequests, {}, signal),
    }),
  /** The open requests about one object, or all open requests of one kind. */
  listWaitingRequests: (about: { kind?: ChangeKind; target?: string }) =>
    queryOptions({
      queryKey: [...all, 'waiting', about],
      queryFn: ({ signal }) =>
        call(
          listChangeRequests,
          { query: { ...about, state: 'open', limit: BESIDE_AN_OBJECT } },
          signal,
        ),
      select: ({ changeRequests }) => changeRequests,
    }),
}

/**
 * Returns the query that tells whether changes need two administrators. The live topic `settings`
 * reloads it.
 */
export const getDualControlQuery = () =>
  queryOptions({
    queryKey: [...getRootKey('settings'), 'dual-control'],
    queryFn: ({ signal }) => call(getDualControl, {}, signal),
    staleTime: DUAL_CONTROL_STALE_MS,
  })

/** Tells whether changes need two administrators. Returns false until the mode has loaded. */
export function useIsDualControl(): boolean {
  return useQuery(getDualControlQuery()).data?.mode === 'required'
}

/**
 * Returns the hint below the reason of a request about money. Returns undefined if one
 * administrator is enough.
 */
export function useMoneyReasonHint(): string | undefined {
  return useIsDualControl()
    ? 'At least 10 characters if two administrators must approve the amount.'
    : undefined
}

/**
 * Returns a function that reloads all queries, because the carried-out change request can change
 * any object.
 */
function useReadAgain() {
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries()
}

export function useApproveChange({ id, payloadSha256 }: ChangeDetail) {
  return useMutation({
    mutationFn: () => call(approveChangeRequest, { params: { id }, body: { payloadSha256 } }),
    onSettled: useReadAgain(),
  })
}

export function useRejectChange(id: string) {
  return useMutation({
    mutationFn: (reason: string) => call(rejectChangeRequest, { params: { id }, body: { reason } }),
    onSettled: useReadAgain(),
  })
}

export function useWithdrawChange(id: string) {
  return useMutation({
    mutationFn: () => call(withdrawChangeRequest, { params: { id } }),
    onSettled: useReadAgain(),
  })
}
