import { listMyReferrals, type Referral } from '@cairn/gateway-contracts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

/**
 * A referred user and the position of this user in the list. The position identifies the row,
 * because the answer contains no id.
 */
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
        // Each loaded part of the list contains the totals. The part that was loaded last has the
        // newest totals.
        meta: pages.at(-1)?.meta,
      }),
    }),
}
