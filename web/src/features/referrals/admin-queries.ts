import {
  listReferralsOf,
  listReferrers,
  type Referrer,
  type ResponseOf,
} from '@cairn/gateway-contracts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { Referrer }
export type Referred = ResponseOf<typeof listReferralsOf>['referrals'][number]

const all = [...getRootKey('referrals'), 'admin'] as const

export const referrerQueries = {
  listReferrers: (page: number) =>
    queryOptions({
      queryKey: [...all, 'list', page],
      queryFn: ({ signal }) => call(listReferrers, { query: { page } }, signal),
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
