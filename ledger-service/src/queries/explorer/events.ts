import type { LoggedEvent, QueryRequest, QueryResponse } from '@cairn/ledger-contracts'
import type pg from 'pg'
import { readEvent } from '../../log/envelope.ts'
import { formatPrefixPattern } from '../../service/database/filter.ts'
import { findSeqAt } from '../accounts/balances.ts'
import { selectAllSeqs, selectOuterSeqs } from '../transactions/transaction-seqs.ts'

/**
 * The maximum number of events that a search without an index scans. The caller continues from
 * `next`.
 */
const SCAN_EVENTS = 50_000n

type Filter = QueryRequest<'events'> & { ledger: number }

/** A request for the newest events, without a filter. */
export const ALL_EVENTS: QueryRequest<'events'> = {
  before: null,
  limit: 200,
  type: null,
  actor: null,
  account: null,
  investorId: null,
  externalId: null,
  reference: null,
  amountMinor: null,
  from: null,
  to: null,
}

interface Row {
  seq: bigint
  bytes: Buffer
  leaf_hash: Buffer
}

/**
 * Returns matching events, newest first. Filters by account, investor, external id or reference use
 * an index. Other filters scan only a part of the log per call.
 */
export async function listEvents(pool: pg.Pool, filter: Filter): Promise<QueryResponse<'events'>> {
  const size = await readSize(pool, filter.ledger)
  const bounds = await computeBounds(pool, filter, size)
  const isIndexed =
    filter.account !== null ||
    filter.investorId !== null ||
    filter.externalId !== null ||
    filter.reference !== null
  const low =
    isIndexed || bounds.high - bounds.low <= SCAN_EVENTS ? bounds.low : bounds.high - SCAN_EVENTS
  const rows =
    low >= bounds.high ? [] : await selectEvents(pool, filter, { low, high: bounds.high })
  const events = rows.map(toLoggedEvent)
  const last = events.at(-1)
  const isFull = events.length === filter.limit
  const next = isFull && last !== undefined ? last.seq : low
  return { events, size, next: next > bounds.low ? next : null }
}

async function readSize(pool: pg.Pool, ledger: number): Promise<bigint> {
  const { rows } = await pool.query<{ size: bigint }>(
    'select size from ledger.head where ledger_id = $1',
    [ledger],
  )
  return rows[0]?.size ?? 0n
}

/**
 * Converts the bounds to event numbers, which is possible because recorded times never decrease.
 */
async function computeBounds(
  pool: pg.Pool,
  { ledger, before, from, to }: Filter,
  size: bigint,
): Promise<{ low: bigint; high: bigint }> {
  const low =
    from === null ? 0n : (await findSeqAt(pool, { ledger, atMs: Date.parse(from) - 1 })) + 1n
  const until =
    to === null ? size : (await findSeqAt(pool, { ledger, atMs: Date.parse(to) - 1 })) + 1n
  const high = before === null || before > until ? until : before
  return { low, high }
}

async function selectEvents(
  pool: pg.Pool,
  filter: Filter,
  { low, high }: { low: bigint; high: bigint },
): Promise<readonly Row[]> {
  const values: unknown[] = [filter.ledger, low, high]
  const addParameter = (value: unknown) => `$${values.push(value)}`
  const conditions = ['ledger_id = $1', 'seq >= $2', 'seq < $3']
  if (filter.type !== null) conditions.push(`type = ${addParameter(filter.type)}`)
  if (filter.actor !== null)
    conditions.push(`actor like ${addParameter(formatPrefixPattern(filter.actor))}`)
  if (filter.externalId !== null)
    conditions.push(`external_id = ${addParameter(filter.externalId)}`)
  if (filter.reference !== null) {
    const isNamed = `reference = ${addParameter(filter.reference)}`
    conditions.push(`seq in (${selectAllSeqs(isNamed)})`)
  }
  if (filter.account !== null) {
    conditions.push(`seq in (select seq from ledger.posting
      where ledger_id = $1 and account = ${addParameter(filter.account)} and seq >= $2 and seq < $3)`)
  }
  if (filter.investorId !== null) {
    conditions.push(`seq in (${selectSeqsOfInvestor(addParameter(filter.investorId))})`)
  }
  if (filter.amountMinor !== null) {
    conditions.push(...listAmountConditions(filter.amountMinor, addParameter))
  }
  const { rows } = await pool.query<Row>(
    `select seq, bytes, leaf_hash from ledger.event where ${conditions.join(' and ')}
     order by seq desc limit ${addParameter(filter.limit)}`,
    values,
  )
  return rows
}

/**
 * Selects events with a posting of this amount or its negative. The text of each stored posting
 * ends with its amount, so the bytes are searched for the amount. The first condition is cheaper
 * than the second one and excludes most events.
 */
function listAmountConditions(
  amountMinor: bigint,
  bind: (value: unknown) => string,
): readonly string[] {
  const size = amountMinor < 0n ? -amountMinor : amountMinor
  const formatCondition = (text: string) =>
    `position(${bind(Buffer.from(text))}::bytea in bytes) > 0`
  const written = [size, -size].map((minor) => formatCondition(` ${minor}"`))
  return [formatCondition(`${size}"`), `(${written.join(' or ')})`]
}

/**
 * Selects events with postings on the investor's accounts, events of the investor's transactions,
 * and events that changed the investor's standing.
 */
function selectSeqsOfInvestor(investor: string): string {
  return `select seq from ledger.posting
      where ledger_id = $1 and account >= 'investor:' || ${investor} || ':'
        and account < 'investor:' || ${investor} || ';' and seq >= $2 and seq < $3
    union ${selectOuterSeqs(`investor_id = ${investor}`)}
    union select seq from ledger.event
      where ledger_id = $1 and type in ('InvestorActivated', 'InvestorSuspended', 'InvestorClosed')
        and substring(encode(bytes, 'escape') from '"investorId":"([0-9a-z]+)"') = ${investor}`
}

export function toLoggedEvent({ bytes, leaf_hash }: Pick<Row, 'bytes' | 'leaf_hash'>): LoggedEvent {
  return { ...readEvent(bytes), leafHash: leaf_hash.toString('hex') }
}
