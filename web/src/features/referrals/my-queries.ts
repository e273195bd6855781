import { listMyReferrals, type Referral } from '@cairn/gateway-contracts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { getRootKey } from '../../shared/api/query-keys.ts'

export type { Referral }

export const myReferralQueries = {
  listOwnReferrals: () =>
    queryOptions({
      queryKey: [...getRootKey('referrals'), 'mine'],
      queryFn: ({ signal }) => call(listMyReferrals, {}, signal),
    }),
}
