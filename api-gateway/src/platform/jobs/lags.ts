import type { LagReport, LedgerClient } from '@cairn/ledger-contracts'
import type { Clock } from '@cairn/service-kit/clock'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import type { FurtherLedger } from './follow-ledgers.ts'
import type { Follower } from './follower.ts'

/**
 * Returns the lag of each follower in events, and the age of the oldest waiting mail in seconds. The
 * lag behind a ledger that does not answer is unknown, and unknown is not zero: if a further ledger
 * does not answer, the result says for how long.
 */
export async function readLags(deps: {
  db: Database
  clock: Clock
  ledger: LedgerClient
  /** The followers of this release. Cursors of followers of another release are left out. */
  followers: readonly Pick<Follower, 'name'>[]
  furtherLedgers?: readonly FurtherLedger[]
}): Promise<LagReport[]> {
  const { ledger: first, furtherLedgers = [] } = deps
  const followed = new Set(deps.followers.map(({ name }) => name))
  const [{ size }, cursors, mail, ...heads] = await Promise.all([
    first.ask('head', { size: null }),
    deps.db.selectFrom('platform.cursor').select(['name', 'seq']).orderBy('name').execute(),
    readMailLagSeconds(deps),
    ...furtherLedgers.map(({ ledger }) => ledger.ask('head', { size: null }).catch(() => null)),
  ])
  const listLags = (further: number | null, reached: bigint) =>
    cursors
      .filter(({ name }) => {
        const cursor = parseCursor(name)
        return cursor.further === further && followed.has(cursor.follower)
      })
      .map(({ name, seq }): LagReport => {
        return { name, unit: 'events', value: Math.max(0, Number(reached - 1n - BigInt(seq))) }
      })
  const further = furtherLedgers.flatMap((ledger, place) => {
    const head = heads[place] ?? null
    if (head !== null) return listLags(ledger.further, head.size)
    return [reportSilence(ledger, deps.clock.now())]
  })
  return [{ name: 'mail', unit: 'seconds', value: mail }, ...listLags(null, size), ...further]
}

/** Splits the name of a cursor: `mail.v1` of the first ledger, or `mail.v1@2` of ledger 2. */
function parseCursor(name: string): { follower: string; further: number | null } {
  const [follower = '', ledger] = name.split('@')
  return { follower, further: ledger === undefined ? null : Number(ledger) }
}

function reportSilence({ further, answeredAtMs }: FurtherLedger, nowMs: number): LagReport {
  const value = Math.max(1, Math.round((nowMs - answeredAtMs) / 1_000))
  return { name: `Ledger ${further} does not answer`, unit: 'seconds', value }
}

export async function readMailLagSeconds({
  db,
  clock,
}: {
  db: Database
  clock: Clock
}): Promise<number> {
  const { oldest } = await db
    .selectFrom('identity.outbox')
    .select(sql<Date | null>`min(created_at)`.as('oldest'))
    .where('sent_at', 'is', null)
    .where('sealed', 'is not', null)
    .executeTakeFirstOrThrow()
  return oldest === null ? 0 : Math.max(0, Math.round((clock.now() - oldest.getTime()) / 1_000))
}
