import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'
import { byId, createWholeNumberField, Instant } from './fields.ts'
import { MoneyOut } from './money.ts'
import { Person, UserStatus } from './users.ts'

/**
 * A referred user. Name and e-mail are shortened, so that only people who know the user recognise
 * them.
 */
export const Referral = z.object({
  /** For example `Ada L.` */
  name: z.string(),
  /** For example `a***@example.com` */
  email: z.string(),
  status: UserStatus,
  joinedAt: Instant,
  investments: z.int(),
  earned: MoneyOut,
})
export type Referral = z.infer<typeof Referral>

export const listMyReferrals = declareEndpoint({
  method: 'GET',
  path: '/users/me/referrals',
  access: 'user',
  response: z.object({
    referrals: z.array(Referral),
    meta: z.object({
      link: z.string(),
      isEnabled: z.boolean(),
      total: z.int(),
      /** The total of the credited bonuses minus the total of the reversed bonuses. */
      earned: MoneyOut,
      available: MoneyOut,
    }),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const Referrer = Person.extend({
  referred: z.int(),
  active: z.int(),
  earned: MoneyOut,
  available: MoneyOut,
})
export type Referrer = z.infer<typeof Referrer>

/** Lists the users with referrals, sorted by the number of referrals, descending. */
export const listReferrers = declareEndpoint({
  method: 'GET',
  path: '/admin/referrals',
  permission: 'referrals.read',
  request: z.strictObject({
    query: z.strictObject({
      page: createWholeNumberField('page', { min: 1, max: 400 }).default(1),
      limit: createWholeNumberField('limit', { min: 1, max: 100 }).default(25),
    }),
  }),
  response: z.object({
    referrers: z.array(Referrer),
    meta: z.object({ page: z.int(), pages: z.int(), total: z.int(), truncated: z.boolean() }),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/** Lists the users whom one referrer referred. */
export const listReferralsOf = declareEndpoint({
  method: 'GET',
  path: '/admin/referrals/:id',
  permission: 'referrals.read',
  request: byId,
  response: z.object({
    referrals: z.array(
      Person.extend({
        status: UserStatus,
        joinedAt: Instant,
        investments: z.int(),
        earned: MoneyOut,
      }),
    ),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const exportMyReferrals = declareCsvEndpoint({
  path: '/users/me/referrals.csv',
  access: 'user',
  failures: [...LEDGER_QUERY_FAILURES],
})

export const exportReferrers = declareCsvEndpoint({
  path: '/admin/referrals.csv',
  permission: 'referrals.read',
  failures: [...LEDGER_QUERY_FAILURES],
})

export const exportReferralsOf = declareCsvEndpoint({
  path: '/admin/referrals/:id/people.csv',
  permission: 'referrals.read',
  request: byId,
  failures: [...LEDGER_QUERY_FAILURES],
})
