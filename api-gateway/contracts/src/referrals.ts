import { z } from 'zod'
import { declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import { LEDGER_QUERY_FAILURES } from './failures.ts'
import { byId, createWholeNumberField, Id, Instant, idParams } from './fields.ts'
import { MoneyOut } from './money.ts'
import { Person, UserStatus } from './users.ts'

/**
 * A referred user. Name and email are shortened, so that only people who know the user recognise
 * them.
 */
export const Referral = z.object({
  /** The shortened name, for example `Ada L.` */
  name: z.string(),
  /** The shortened email, for example `a***@example.com` */
  email: z.string(),
  status: UserStatus,
  joinedAt: Instant,
  investments: z.int(),
  earned: MoneyOut,
})
export type Referral = z.infer<typeof Referral>

const limit = createWholeNumberField('limit', { min: 1, max: 200 }).default(50)

/**
 * A position in the list of the caller's referrals. It is sealed, because the id of a user is
 * private.
 */
const ReferralCursor = z
  .string()
  .max(300)
  .regex(/^[\w-]+$/, 'must be the value of meta.next')

/** Lists the users whom the caller referred, newest first. */
export const listMyReferrals = declareEndpoint({
  method: 'GET',
  path: '/users/me/referrals',
  access: 'user',
  request: z.strictObject({
    query: z.strictObject({
      limit,
      /** The page starts after this position, which is `meta.next` of the previous page. */
      before: ReferralCursor.optional(),
    }),
  }),
  response: z.object({
    referrals: z.array(Referral),
    meta: z.object({
      link: z.string(),
      isEnabled: z.boolean(),
      /** Number of all referred users, not only of the users on this page. */
      total: z.int(),
      /** The value of `before` for the next page; null on the last page. */
      next: ReferralCursor.nullable(),
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
      page: createWholeNumberField('page', { min: 1, max: 1_000_000 }).default(1),
      limit: createWholeNumberField('limit', { min: 1, max: 100 }).default(25),
      /** The page starts after the referrer with this id. `page` then skips no rows. */
      after: Id.optional(),
      /** The page ends before the referrer with this id. Ignored if `after` is given. */
      before: Id.optional(),
    }),
  }),
  response: z.object({
    referrers: z.array(Referrer),
    meta: z.object({
      page: z.int(),
      pages: z.int(),
      total: z.int(),
      truncated: z.boolean(),
      /**
       * The id to pass as `after` for the next page; null on the last page. Release 0.9.0 does not
       * send it.
       */
      next: Id.nullable().default(null),
    }),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/** Lists the users whom one referrer referred, newest first. */
export const listReferralsOf = declareEndpoint({
  method: 'GET',
  path: '/admin/referrals/:id',
  permission: 'referrals.read',
  request: z.strictObject({
    params: idParams,
    query: z.strictObject({
      limit,
      /** The page starts after the user with this id. */
      before: Id.optional(),
    }),
  }),
  response: z.object({
    referrals: z.array(
      Person.extend({
        status: UserStatus,
        joinedAt: Instant,
        investments: z.int(),
        earned: MoneyOut,
      }),
    ),
    meta: z.object({
      /** Number of all referred users, not only of the users on this page. */
      total: z.int(),
      /** The id of the last row, for `before` of the next page; null on the last page. */
      next: Id.nullable(),
    }),
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
