import { type Referral, toAmount } from '@cairn/gateway-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { RowPage } from '../../platform/http/list-export.ts'

type Referred = Referral & { id: string; _id: string }

/**
 * Lists the users whom a referrer referred, newest first, with the bonuses for each. The page
 * starts after the user `after`.
 */
export async function listReferredUsers(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  referrerId: string,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<RowPage<Referred>> {
  let query = deps.db
    .selectFrom('identity.user')
    .select(['id', 'name', 'email', 'status', 'created_at'])
    .where('referrer_id', '=', referrerId)
    .orderBy('id', 'desc')
    // The query reads one row more than the page has, to find out whether another page follows.
    .limit(limit + 1)
  if (after !== undefined) query = query.where('id', '<', after)
  const found = await query.execute()
  const rows = found.slice(0, limit)
  const investorIds = rows.map(({ id }) => id)
  const { earnings } = await deps.ledger.ask('referralEarnings', { referrerId, investorIds })
  const byInvestor = new Map(earnings.map((row) => [row.investorId, row]))
  return {
    rows: rows.map(({ id, name, email, status, created_at }) => ({
      id,
      _id: id,
      name,
      email,
      status,
      joinedAt: created_at.toISOString(),
      investments: byInvestor.get(id)?.investments ?? 0,
      earned: toAmount(byInvestor.get(id)?.earnedMinor ?? 0n),
    })),
    next: found.length > limit ? (rows.at(-1)?.id ?? null) : null,
  }
}

export async function countReferredUsers(db: Database, referrerId: string): Promise<number> {
  const { total } = await db
    .selectFrom('identity.user')
    .select(sql<number>`count(*)::int`.as('total'))
    .where('referrer_id', '=', referrerId)
    .executeTakeFirstOrThrow()
  return total
}

/** Shortens name and email, so that only people who know the user recognise them. */
export function maskReferral({ id: _id, _id: __id, ...person }: Referred): Referral {
  const [first = '', ...rest] = person.name.split(/\s+/)
  const initial = rest.at(-1)?.charAt(0)
  const [local = '', domain = ''] = person.email.split('@')
  return {
    ...person,
    name: initial === undefined ? first : `${first} ${initial}.`,
    email: `${local.charAt(0)}***@${domain}`,
  }
}
