import {
  addUserNote,
  exportUserBanks,
  exportUsers,
  getUser,
  toAmount,
} from '@cairn/gateway-contracts'
import type { InvestorSummary } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import {
  type Columns,
  createCsvRoute,
  type RowPage,
  toSinglePage,
} from '../../platform/http/list-export.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { findInvestor, findInvestors } from '../../platform/ledger-client/investors.ts'
import { toWalletAmounts } from '../../platform/ledger-client/wallet-name.ts'
import { BANK_COLUMNS, listBankAccounts } from '../banks/index.ts'
import { toPersonField } from './actors.ts'
import { presentUser } from './present-user.ts'
import { findPersons, getUserRow, type UserRow } from './user.ts'
import { listUserRows, type Searcher, toCursor, type UserFilter } from './user-list.ts'

const NOTES_MAX = 100

export function createUserDetailRoutes(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger' | 'settings'>,
): readonly Route[] {
  return [
    createExportRoute(deps),
    createDetailRoute(deps),
    createNoteRoute(deps),
    createBankExportRoute(deps),
  ]
}

function createDetailRoute(
  deps: Pick<Dependencies, 'clock' | 'db' | 'ledger' | 'settings'>,
): Route {
  return declareRoute(
    getUser,
    { rate: 'read', owner: 'any', audit: null },
    async ({ params }, exchange) => {
      const row = await getUserRow(deps.db, params.id)
      const [user, investor, notes, seen] = await Promise.all([
        presentUser(deps, row),
        row.role === 'user' ? findInvestor(deps.ledger, row.id) : null,
        getCaller(exchange).permissions.has('users.notes') ? listNotes(deps.db, row.id) : [],
        readReferralsAndLastUse(deps.db, row.id),
      ])
      const referrer = row.referrer_id ?? ''
      return {
        user,
        money: investor === null ? null : toMoney(investor),
        ...toPersonField('referrer', (await findPersons(deps.db, [referrer])).get(referrer)),
        referred: seen.referred,
        notes,
        lastSeenAt: seen.lastSeenAt?.toISOString() ?? null,
      }
    },
  )
}

function toMoney({ available, held, principalMinor, totals }: InvestorSummary) {
  return {
    available: toWalletAmounts(available),
    held: toWalletAmounts(held),
    invested: toAmount(principalMinor),
    deposited: toAmount(totals.depositedMinor),
    withdrawn: toAmount(totals.withdrawnMinor),
    profit: toAmount(totals.profitMinor),
    referral: toAmount(totals.referralMinor),
    activeInvestments: totals.activeInvestmentCount,
  }
}

async function readReferralsAndLastUse(
  db: Database,
  userId: string,
): Promise<{ referred: number; lastSeenAt: Date | null }> {
  const [session, { referred }] = await Promise.all([
    db
      .selectFrom('identity.session')
      .select(({ fn }) => fn.max('last_seen_at').as('at'))
      .where('user_id', '=', userId)
      .executeTakeFirst(),
    db
      .selectFrom('identity.user')
      .select(sql<number>`count(*)::int`.as('referred'))
      .where('referrer_id', '=', userId)
      .executeTakeFirstOrThrow(),
  ])
  return { referred, lastSeenAt: session?.at ?? null }
}

function createNoteRoute(deps: Pick<Dependencies, 'db'>): Route {
  return declareRoute(
    addUserNote,
    { rate: 'write', owner: 'any', audit: 'user.note', needsFreshFactor: false },
    async ({ params, body }, exchange) => {
      const { userId: author_id } = getCaller(exchange)
      const { id: user_id } = await getUserRow(deps.db, params.id)
      const { subjectId: id, nowMs } = exchange
      await deps.db
        .insertInto('platform.user_note')
        .values({ id, user_id, author_id, text: body.text, created_at: new Date(nowMs) })
        .execute()
      exchange.note({ subject: user_id, note: id })
      const [note] = await listNotes(deps.db, user_id)
      if (note === undefined) throw new Error('the stored note was not found')
      return { note }
    },
  )
}

/** Lists the notes about a user, newest first. */
async function listNotes(db: Database, userId: string) {
  const rows = await db
    .selectFrom('platform.user_note')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('id', 'desc')
    .limit(NOTES_MAX)
    .execute()
  const authors = await findPersons(
    db,
    rows.map(({ author_id }) => author_id),
  )
  return rows.map((row) => ({
    id: row.id,
    _id: row.id,
    text: row.text,
    createdAt: row.created_at.toISOString(),
    ...toPersonField('author', authors.get(row.author_id)),
  }))
}

interface Exported {
  row: UserRow
  investor: InvestorSummary | null
}

const formatMoney = (minor: bigint | undefined) => toAmount(minor ?? 0n).toFixed(2)
const COLUMNS: Columns<Exported> = {
  Name: ({ row }) => row.name,
  Email: ({ row }) => row.email,
  Phone: ({ row }) => row.phone,
  Country: ({ row }) => row.country,
  Role: ({ row }) => row.role,
  Status: ({ row }) => row.status,
  Joined: ({ row }) => row.created_at.toISOString(),
  Balance: ({ investor }) => formatMoney(investor?.available.balance),
  Profit: ({ investor }) => formatMoney(investor?.available.profit),
  Referral: ({ investor }) => formatMoney(investor?.available.referral),
  Invested: ({ investor }) => formatMoney(investor?.principalMinor),
  'User id': ({ row }) => row.id,
}

function createExportRoute(deps: Pick<Dependencies, 'db' | 'ledger'>): Route {
  return createCsvRoute({
    endpoint: exportUsers,
    fileName: 'users.csv',
    audit: 'user.export',
    columns: COLUMNS,
    readPage: ({ query }, place, exchange) =>
      readPage(deps, { ...query, ...place }, getCaller(exchange)),
  })
}

function createBankExportRoute(deps: Pick<Dependencies, 'db'>): Route {
  return createCsvRoute({
    endpoint: exportUserBanks,
    fileName: 'bank-accounts.csv',
    audit: 'bank-account.export',
    columns: BANK_COLUMNS,
    readPage: async ({ params }, _place, { nowMs }) => {
      const { id: userId } = await getUserRow(deps.db, params.id)
      return toSinglePage(await listBankAccounts(deps.db, { userId, nowMs }))
    },
  })
}

async function readPage(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  filter: UserFilter,
  searcher: Searcher,
): Promise<RowPage<Exported>> {
  const { rows, meta } = await listUserRows(deps.db, filter, searcher)
  const investors = await findInvestors(
    deps.ledger,
    rows.map(({ id }) => id),
  )
  const exported = rows.map((row) => ({ row, investor: investors.get(row.id) ?? null }))
  const last = meta.next === null ? undefined : rows.at(-1)
  return { rows: exported, next: last === undefined ? null : toCursor(last) }
}
