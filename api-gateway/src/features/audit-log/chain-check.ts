import type { AuditChain } from '@cairn/gateway-contracts'
import type { LedgerClient } from '@cairn/ledger-contracts'
import {
  CHAIN_START,
  type ChainChecker,
  type ChainPlace,
  createChainChecker,
} from '@cairn/ledger-contracts/proof'
import type { Database } from '../../platform/database/database.ts'
import { readChain } from './chain-rows.ts'

const ROWS_PER_READ = 1_000
const ROWS_PER_CHECK = 10_000
const SEALS_PER_CHECK = 1_000

/**
 * Checks one part of the chain: at most 10,000 rows and 1,000 seals, so that a request stays short.
 * The last row of the previous part is trusted, because the previous call checked it.
 */
export async function checkChain(
  { db, ledger }: { db: Database; ledger: LedgerClient },
  { after, afterSeal }: { after: number; afterSeal: string | null },
): Promise<AuditChain> {
  const waiting = await countUnchainedRows(db)
  const start = await findChainPlace(db, after)
  if (start === null) {
    const problem = { position: after, message: `row ${after} is missing` }
    return { checkedTo: 0, seal: null, problem, waiting, next: null }
  }
  const request = { after: afterSeal === null ? null : BigInt(afterSeal), limit: SEALS_PER_CHECK }
  const { seals } = await ledger.ask('auditSeals', request)
  const checker = createChainChecker(start)
  checker.expectSeals(seals)
  // If there are more seals than one request reads, the part ends at the last seal that was read.
  const lastCount = seals.length === SEALS_PER_CHECK ? (seals.at(-1)?.count ?? null) : null
  const until = Math.min(after + ROWS_PER_CHECK, lastCount ?? Number.POSITIVE_INFINITY)
  const isEnd = await addRowsToChecker(db, { checker, until })
  const { place, seal } = checker
  // If the check has not reached the end of the chain, a seal can cover rows that this check has
  // not read. A seal of unread rows is not an error.
  const problem = isEnd ? checker.finish() : checker.problem
  const isOver = problem !== null || (isEnd && lastCount === null)
  const sealed = seal === null ? afterSeal : String(seal.seq)
  return {
    checkedTo: place.position,
    seal:
      seal === null
        ? null
        : { event: String(seal.seq), count: seal.count, sealedAt: seal.sealedAt },
    problem,
    waiting,
    next: isOver ? null : { after: place.position, afterSeal: sealed },
  }
}

/** Adds rows to the checker, up to a position. Returns true if the chain has no more rows. */
async function addRowsToChecker(
  db: Database,
  { checker, until }: { checker: ChainChecker; until: number },
): Promise<boolean> {
  while (checker.place.position < until) {
    const { position: after } = checker.place
    const limit = Math.min(ROWS_PER_READ, until - after)
    const rows = await readChain(db, { after, limit })
    for (const row of rows) if (!checker.add(row)) return true
    if (rows.length < limit) return true
  }
  return false
}

async function findChainPlace(db: Database, position: number): Promise<ChainPlace | null> {
  if (position === 0) return CHAIN_START
  const row = await db
    .selectFrom('platform.audit')
    .select('hash')
    .where('position', '=', String(position))
    .executeTakeFirst()
  const hash = row?.hash?.toString('hex')
  return hash === undefined ? null : { position, hash }
}

async function countUnchainedRows(db: Database): Promise<AuditChain['waiting']> {
  const { count, oldest } = await db
    .selectFrom('platform.audit')
    .select(({ fn }) => [
      fn.countAll<string>().as('count'),
      fn.min<Date | null>('recorded_at').as('oldest'),
    ])
    .where('position', 'is', null)
    .executeTakeFirstOrThrow()
  return { count: Number(count), oldestAt: oldest?.toISOString() ?? null }
}
