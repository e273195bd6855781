import { listMyReferrals, type Referral } from '@cairn/gateway-contracts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

/** A referred user with the place in the list, because the answer contains no id. */
export type PlacedReferral = Referral & { place: number }

export const myReferralQueries = {
  listOwnReferrals: () =>
    infiniteQueryOptions({
      queryKey: [...getRootKey('referrals'), 'mine'],
      queryFn: ({ pageParam, signal }) =>
        call(listMyReferrals, { query: { before: pageParam ?? undefined } }, signal),
      initialPageParam: null as string | null,
      getNextPageParam: ({ meta }) => meta.next,
      select: ({ pages }) => ({
        referrals: pages
          .flatMap(({ referrals }) => referrals)
          .map((referral, place): PlacedReferral => ({ ...referral, place })),
        // The totals of the newest answer are the newest totals.
        meta: pages.at(-1)?.meta,
      }),
    }),
}
