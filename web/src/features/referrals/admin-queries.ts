import {
  listReferralsOf,
  listReferrers,
  type Referrer,
  type RequestOf,
  type ResponseOf,
} from '@cairn/gateway-contracts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { Referrer }
export type Referred = ResponseOf<typeof listReferralsOf>['referrals'][number]

const all = [...getRootKey('referrals'), 'admin'] as const

export const referrerQueries = {
  listReferrers: (query: RequestOf<typeof listReferrers>['query']) =>
    queryOptions({
      queryKey: [...all, 'list', query],
      queryFn: ({ signal }) => call(listReferrers, { query }, signal),
      placeholderData: keepPreviousData,
    }),
  listReferralsOfUser: (id: string) =>
    infiniteQueryOptions({
      queryKey: [...all, 'of', id],
      queryFn: ({ pageParam, signal }) =>
        call(
          listReferralsOf,
          { params: { id }, query: { before: pageParam ?? undefined } },
          signal,
        ),
      initialPageParam: null as string | null,
      getNextPageParam: ({ meta }) => meta.next,
      select: ({ pages }) => pages.flatMap(({ referrals }) => referrals),
    }),
}
