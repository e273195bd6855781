import {
  listMyReferrals,
  listReferralsOf,
  listReferrers,
  type Referral,
  toAmount,
} from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { Dependencies } from '../dependencies.ts'
import { callerOf, type Route, route } from '../http/registry.ts'
import { findInvestor, findInvestors } from '../ledger/investors.ts'
import { findPersons, getUser } from '../users/user.ts'

/** Nobody reads further than this on one page; the figures above it count everybody. */
const REFERRED_MAX = 1_000

export function referralRoutes(deps: Dependencies): readonly Route[] {
  const read = { rate: 'read', owner: 'own', audit: null } as const
  return [
    route(listMyReferrals, read, async (_request, exchange) => {
      const { userId } = callerOf(exchange)
      const [user, referred, { rules }, investor] = await Promise.all([
        getUser(deps.db, userId),
        listReferred(deps, userId),
        deps.ledger.ask('rules', {}),
        findInvestor(deps.ledger, userId),
      ])
      return {
        referrals: referred.map(mask),
        meta: {
          link: `${deps.publicUrl}/users/register?refid=${user.account_id}`,
          isEnabled: rules.isReferralEnabled,
          total: referred.length,
          earned: toAmount(investor?.totals.referralMinor ?? 0n),
          available: toAmount(investor?.available.referral ?? 0n),
        },
      }
    }),
    listReferrersRoute(deps),
    route(listReferralsOf, { ...read, owner: 'any' }, async ({ params }) => ({
      referrals: await listReferred(deps, params.id),
    })),
  ]
}

function listReferrersRoute(deps: Dependencies): Route {
  const options = { rate: 'read', owner: 'any', audit: null } as const
  return route(listReferrers, options, async ({ query }) => {
    const { rows, total } = await selectReferrers(deps.db, query)
    const ids = rows.map(({ id }) => id)
    const [persons, investors] = await Promise.all([
      findPersons(deps.db, ids),
      findInvestors(deps.ledger, ids),
    ])
    const referrers = rows.flatMap(({ id, referred, active }) => {
      const person = persons.get(id)
      if (person === undefined) return []
      const investor = investors.get(id)
      const earned = toAmount(investor?.totals.referralMinor ?? 0n)
      const available = toAmount(investor?.available.referral ?? 0n)
      return [{ ...person, referred, active, earned, available }]
    })
    const pages = Math.max(1, Math.ceil(total / query.limit))
    return { referrers, meta: { page: query.page, pages, total, truncated: false } }
  })
}

async function selectReferrers(
  db: Database,
  { page, limit }: { page: number; limit: number },
): Promise<{ rows: readonly { id: string; referred: number; active: number }[]; total: number }> {
  const query = db.selectFrom('identity.user').where('referrer_id', 'is not', null)
  const rows = await query
    .select([
      sql<string>`referrer_id`.as('id'),
      sql<number>`count(*)::int`.as('referred'),
      sql<number>`(count(*) filter (where status = 'active'))::int`.as('active'),
    ])
    .groupBy('referrer_id')
    .orderBy('referred', 'desc')
    .orderBy('referrer_id')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()
  const { total } = await query
    .select(sql<number>`count(distinct referrer_id)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return { rows, total }
}

type Referred = Referral & { id: string; _id: string }

/** Newest first, with what each has brought. */
async function listReferred(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  referrerId: string,
): Promise<Referred[]> {
  const [rows, { earnings }] = await Promise.all([
    deps.db
      .selectFrom('identity.user')
      .select(['id', 'name', 'email', 'status', 'created_at'])
      .where('referrer_id', '=', referrerId)
      .orderBy('created_at', 'desc')
      .limit(REFERRED_MAX)
      .execute(),
    deps.ledger.ask('referralEarnings', { referrerId }),
  ])
  const byInvestor = new Map(earnings.map((row) => [row.investorId, row]))
  return rows.map(({ id, name, email, status, created_at }) => ({
    id,
    _id: id,
    name,
    email,
    status,
    joinedAt: created_at.toISOString(),
    investments: byInvestor.get(id)?.investments ?? 0,
    earned: toAmount(byInvestor.get(id)?.earnedMinor ?? 0n),
  }))
}

/** Enough for who sent the link to know who it is. */
function mask({ id: _id, _id: __id, ...person }: Referred): Referral {
  const [first = '', ...rest] = person.name.split(/\s+/)
  const initial = rest.at(-1)?.charAt(0)
  const [local = '', domain = ''] = person.email.split('@')
  return {
    ...person,
    name: initial === undefined ? first : `${first} ${initial}.`,
    email: `${local.charAt(0)}***@${domain}`,
  }
}
