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
import type { Dependencies } from '../../platform/dependencies.ts'
import { type Columns, createCsvRoute } from '../../platform/http/list-export.ts'
import { toMeta } from '../../platform/http/pages.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { findInvestor, findInvestors } from '../../platform/ledger-client/investors.ts'
import { buildReferralLink, findPersons, getUserRow } from '../users/index.ts'
import { createReferralCursor } from './referral-cursor.ts'
import { countReferredUsers, listReferredUsers, maskReferral } from './referred-users.ts'
import {
  countReferrers,
  listReferrerRows,
  type ReferrerRank,
  type ReferrerRow,
} from './referrers.ts'

const COLUMNS: Columns<Referral> = {
  Name: ({ name }) => name,
  Email: ({ email }) => email,
  Status: ({ status }) => status,
  Joined: ({ joinedAt }) => joinedAt,
  Investments: ({ investments }) => investments,
  Earned: ({ earned }) => earned.toFixed(2),
}

export function createReferralRoutes(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'settings' | 'sessionKeys'>,
): readonly Route[] {
  return [...createMyRoutes(deps), ...createReferrerRoutes(deps), ...createReferredByRoutes(deps)]
}

function createMyRoutes(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'settings' | 'sessionKeys'>,
): readonly Route[] {
  const cursor = createReferralCursor(deps.sessionKeys)
  return [
    declareRoute(
      listMyReferrals,
      { rate: 'read', owner: 'own', audit: null },
      async ({ query: { limit, before } }, exchange) => {
        const { userId } = getCaller(exchange)
        const after = before === undefined ? undefined : cursor.open(before)
        const [{ general }, user, referred, total, { rules }, investor] = await Promise.all([
          deps.settings.read(),
          getUserRow(deps.db, userId),
          listReferredUsers(deps, userId, { limit, after }),
          countReferredUsers(deps.db, userId),
          deps.ledger.ask('rules', {}),
          findInvestor(deps.ledger, userId),
        ])
        const { rows, next } = referred
        return {
          referrals: rows.map(maskReferral),
          meta: {
            link: buildReferralLink(general.siteUrl, user.account_id),
            isEnabled: rules.isReferralEnabled,
            total,
            next: next === null ? null : cursor.seal(next),
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
        const { rows, next } = await listReferredUsers(deps, getCaller(exchange).userId, place)
        return { rows: rows.map(maskReferral), next }
      },
    }),
  ]
}

function createReferredByRoutes(deps: Pick<Dependencies, 'db' | 'ledger'>): readonly Route[] {
  return [
    declareRoute(
      listReferralsOf,
      { rate: 'read', owner: 'any', audit: null },
      async ({ params: { id }, query: { limit, before } }) => {
        const [{ rows, next }, total] = await Promise.all([
          listReferredUsers(deps, id, { limit, after: before }),
          countReferredUsers(deps.db, id),
        ])
        return { referrals: [...rows], meta: { total, next } }
      },
    ),
    createCsvRoute({
      endpoint: exportReferralsOf,
      fileName: 'referrals.csv',
      audit: 'referral.export',
      columns: COLUMNS,
      readPage: ({ params }, place) => listReferredUsers(deps, params.id, place),
    }),
  ]
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
  return [
    declareRoute(listReferrers, { rate: 'read', owner: 'any', audit: null }, async ({ query }) => {
      const [rows, total] = await Promise.all([
        listReferrerRows(deps.db, query),
        countReferrers(deps.db),
      ])
      const meta = toMeta(query, { total, rows: rows.length, lastId: rows.at(-1)?.id })
      return { referrers: await presentReferrers(deps, rows), meta }
    }),
    createCsvRoute({
      endpoint: exportReferrers,
      fileName: 'referrers.csv',
      audit: 'referral.export',
      columns: REFERRERS,
      readPage: async (_request, { page, limit, after: rank }) => {
        const after = rank === undefined ? undefined : parseRank(rank)
        const rows = await listReferrerRows(deps.db, { page, limit, after })
        const last = rows.length === limit ? rows.at(-1) : undefined
        const next = last === undefined ? null : writeRank(last)
        return { rows: await presentReferrers(deps, rows), next }
      },
    }),
  ]
}

/** Writes the place of a row. The next page is found by it even if the row is gone by then. */
function writeRank({ referred, id }: ReferrerRank): string {
  return `${referred} ${id}`
}

function parseRank(rank: string): ReferrerRank {
  const [referred = '', id = ''] = rank.split(' ')
  return { referred: Number.parseInt(referred, 10), id }
}

async function presentReferrers(
  { db, ledger }: Pick<Dependencies, 'db' | 'ledger'>,
  rows: readonly ReferrerRow[],
): Promise<Referrer[]> {
  const ids = rows.map(({ id }) => id)
  const [persons, investors] = await Promise.all([findPersons(db, ids), findInvestors(ledger, ids)])
  return rows.flatMap(({ id, referred, active }) => {
    const person = persons.get(id)
    if (person === undefined) return []
    const investor = investors.get(id)
    const earned = toAmount(investor?.totals.referralMinor ?? 0n)
    const available = toAmount(investor?.available.referral ?? 0n)
    return [{ ...person, referred, active, earned, available }]
  })
}
