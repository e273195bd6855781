import { listMyReferrals, type Referral } from '@cairn/gateway-contracts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../shared/api/client.ts'
import { rootKey } from '../../shared/api/query-keys.ts'

export type { Referral }

export const myReferralQueries = {
  list: () =>
    queryOptions({
      queryKey: [...rootKey('referrals'), 'mine'],
      queryFn: ({ signal }) => call(listMyReferrals, {}, signal),
    }),
}
