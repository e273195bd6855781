import {
  exportMyReferrals,
  exportReferralsOf,
  exportReferrers,
  listMyReferrals,
  listReferralsOf,
  listReferrers,
  type Referral,
  type Referrer,
  toAmount,
} from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { type Columns, createCsvRoute, createListRoutes } from '../../platform/http/list-export.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { findInvestor, findInvestors } from '../../platform/ledger-client/investors.ts'
import { buildReferralLink, findPersons, getUserRow } from '../users/index.ts'

/** The site shows only these newest referrals, but its totals count all referrals. */
const FIRST_PAGE = { limit: 1_000, after: undefined }

type Referred = Referral & { id: string; _id: string }

const COLUMNS: Columns<Referral> = {
  Name: ({ name }) => name,
  Email: ({ email }) => email,
  Status: ({ status }) => status,
  Joined: ({ joinedAt }) => joinedAt,
  Investments: ({ investments }) => investments,
  Earned: ({ earned }) => earned.toFixed(2),
}

export function createReferralRoutes(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'settings'>,
): readonly Route[] {
  return [...createMyRoutes(deps), ...createReferrerRoutes(deps), ...createReferredByRoutes(deps)]
}

function createMyRoutes(deps: Pick<Dependencies, 'db' | 'ledger' | 'settings'>): readonly Route[] {
  return [
    declareRoute(
      listMyReferrals,
      { rate: 'read', owner: 'own', audit: null },
      async (_request, exchange) => {
        const { userId } = getCaller(exchange)
        const [{ general }, user, referred, { rules }, investor] = await Promise.all([
          deps.settings.read(),
          getUserRow(deps.db, userId),
          listReferredUsers(deps, userId),
          deps.ledger.ask('rules', {}),
          findInvestor(deps.ledger, userId),
        ])
        return {
          referrals: referred.map(maskReferral),
          meta: {
            link: buildReferralLink(general.siteUrl, user.account_id),
            isEnabled: rules.isReferralEnabled,
            total: referred.length,
            earned: toAmount(investor?.totals.referralMinor ?? 0n),
            available: toAmount(investor?.available.referral ?? 0n),
          },
        }
      },
    ),
    createCsvRoute({
      endpoint: exportMyReferrals,
      fileName: 'referrals.csv',
      audit: null,
      columns: COLUMNS,
      readPage: async (_request, place, exchange) => {
        const referred = await listReferredUsers(deps, getCaller(exchange).userId, place)
        return { rows: referred.map(maskReferral), next: getNextCursor(referred, place) }
      },
    }),
  ]
}

function createReferredByRoutes(deps: Pick<Dependencies, 'db' | 'ledger'>): readonly Route[] {
  return [
    declareRoute(
      listReferralsOf,
      { rate: 'read', owner: 'any', audit: null },
      async ({ params }) => ({
        referrals: await listReferredUsers(deps, params.id),
      }),
    ),
    createCsvRoute({
      endpoint: exportReferralsOf,
      fileName: 'referrals.csv',
      audit: 'referral.export',
      columns: COLUMNS,
      readPage: async ({ params }, place) => {
        const referred = await listReferredUsers(deps, params.id, place)
        return { rows: referred, next: getNextCursor(referred, place) }
      },
    }),
  ]
}

function getNextCursor(referred: readonly Referred[], { limit }: { limit: number }): string | null {
  return referred.length === limit ? (referred.at(-1)?.id ?? null) : null
}

const REFERRERS: Columns<Referrer> = {
  Name: ({ name }) => name,
  Email: ({ email }) => email,
  Referrals: ({ referred }) => referred,
  'Active referrals': ({ active }) => active,
  Earned: ({ earned }) => earned.toFixed(2),
  Available: ({ available }) => available.toFixed(2),
}

function createReferrerRoutes(deps: Pick<Dependencies, 'db' | 'ledger'>): readonly Route[] {
  return createListRoutes({
    list: listReferrers,
    read: async ({ query }) => {
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
    },
    csv: {
      endpoint: exportReferrers,
      fileName: 'referrers.csv',
      audit: 'referral.export',
      columns: REFERRERS,
      toRequest: (_request, { limit, after = '1' }) => ({ query: { limit, page: Number(after) } }),
      toPage: ({ referrers, meta: { page, pages } }) => ({
        rows: referrers,
        next: page < pages ? String(page + 1) : null,
      }),
    },
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

/** Lists the users whom a referrer referred, newest first, with the bonuses for each. */
async function listReferredUsers(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  referrerId: string,
  { limit, after }: { limit: number; after: string | undefined } = FIRST_PAGE,
): Promise<Referred[]> {
  let page = deps.db
    .selectFrom('identity.user')
    .select(['id', 'name', 'email', 'status', 'created_at'])
    .where('referrer_id', '=', referrerId)
    .orderBy('id', 'desc')
    .limit(limit)
  if (after !== undefined) page = page.where('id', '<', after)
  const [rows, { earnings }] = await Promise.all([
    page.execute(),
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

/** Shortens name and e-mail, so that only people who know the user recognise them. */
function maskReferral({ id: _id, _id: __id, ...person }: Referred): Referral {
  const [first = '', ...rest] = person.name.split(/\s+/)
  const initial = rest.at(-1)?.charAt(0)
  const [local = '', domain = ''] = person.email.split('@')
  return {
    ...person,
    name: initial === undefined ? first : `${first} ${initial}.`,
    email: `${local.charAt(0)}***@${domain}`,
  }
}
