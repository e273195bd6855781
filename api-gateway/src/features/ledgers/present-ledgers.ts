import type { SiteLedger } from '@cairn/gateway-contracts'
import { LedgerUnreachable } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { isCopyComplete, type LedgerRow } from './site-ledgers.ts'

/** The longest time for which the list waits for the ledgers. */
const ANSWER_MS = 2_000

/** Returns the ledgers of the site. A ledger that does not answer has no size. */
export async function presentLedgers(
  deps: Pick<Dependencies, 'db' | 'connectLedger'>,
  nowMs: number,
): Promise<SiteLedger[]> {
  const { db } = deps
  const [rows, site, people] = await Promise.all([
    db.selectFrom('platform.ledger').selectAll().orderBy('ledger_id').execute(),
    db.selectFrom('platform.site').select('ledger_id').executeTakeFirst(),
    countPeople(db),
  ])
  const sizes = new Map(
    await Promise.all(
      rows.map(async ({ ledger_id: number }) => [number, await readSize(deps, number)] as const),
    ),
  )
  const firstSize = sizes.get(site?.ledger_id ?? 0) ?? null
  return rows.map((row) => {
    const { ledger_id: number } = row
    const isFirst = number === site?.ledger_id
    return {
      number,
      name: row.name,
      isFirst,
      isOpen: row.is_open,
      addedAt: row.added_at.toISOString(),
      people: people.get(number) ?? 0,
      size: sizes.get(number) ?? null,
      answeredAt: row.answered_at?.toISOString() ?? null,
      rules: isFirst ? null : presentRules(row, { firstSize, nowMs }),
    }
  })
}

function presentRules(
  row: LedgerRow,
  { firstSize, nowMs }: { firstSize: number | null; nowMs: number },
): SiteLedger['rules'] {
  const through = Number(row.rules_through)
  return {
    through,
    // The copy can have gone on since the size was read.
    size: firstSize === null ? null : Math.max(firstSize, through),
    isComplete: isCopyComplete(row, nowMs),
    problem: row.rules_problem,
  }
}

async function countPeople(db: Database): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('identity.user')
    .select(['ledger_id', sql<string>`count(*)`.as('count')])
    .where('role', '=', 'user')
    .where('deleted_at', 'is', null)
    .groupBy('ledger_id')
    .execute()
  return new Map(rows.map(({ ledger_id, count }) => [ledger_id, Number(count)]))
}

/** Returns the number of events; null if the ledger does not answer in time. */
async function readSize(
  { connectLedger }: Pick<Dependencies, 'connectLedger'>,
  number: number,
): Promise<number | null> {
  const page = { after: BigInt(Number.MAX_SAFE_INTEGER), waitSeconds: 0, limit: 1 }
  try {
    const signal = AbortSignal.timeout(ANSWER_MS)
    return Number((await connectLedger(number).events({ ...page, signal })).size)
  } catch (error) {
    if (error instanceof LedgerUnreachable) return null
    throw error
  }
}
