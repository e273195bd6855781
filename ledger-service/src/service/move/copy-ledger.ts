import type pg from 'pg'
import { model } from '../../domain/model.ts'
import { addSeal, findSealKind } from '../../log/seal.ts'
import { commitConfirmed } from '../database/confirmed.ts'
import { type Copying, copyCurrentRows, copyEvents, copyMissingRows } from './copy-rows-between.ts'

/** Tables of the ledger that are not copied: they can be computed, or belong to one place. */
export const NOT_COPIED = ['active_instance', 'past_total'] as const
/** Append-only tables with few rows. */
const SMALL_TABLES = ['log_key', 'checkpoint', 'trial_balance']

/** A copy of a ledger, as large as the source was when the copy began. */
export interface Copied {
  readonly size: bigint
  readonly root: Buffer
}

interface HeadRow {
  size: bigint
  root: Buffer
  model: number
  json: string
}

/**
 * Copies what the target lacks: events, then the rest from one snapshot. The head is last, in the
 * transaction of everything except the events, and is sealed. Throws if the head of the target is
 * not sealed, because the ledger is then in use there, or if the target has other events.
 */
export async function copyLedger(
  copying: Copying,
  { token, beforeHead }: { token: bigint; beforeHead(): Promise<void> },
): Promise<Copied> {
  const { source, target, ledger } = copying
  // Events do not change. A snapshot for all of them would hinder the vacuum of the source for hours.
  await copyNewEvents(copying, await readHead(source, ledger))
  await source.query('begin isolation level repeatable read read only')
  try {
    const head = await readHead(source, ledger)
    await copyNewEvents(copying, head)
    await beforeHead()
    await target.query('begin')
    await copyMissingRows(copying, 'refusal', await formatNewRefusals(copying))
    for (const table of SMALL_TABLES) await copyMissingRows(copying, table)
    for (const table of model.tables) await copyCurrentRows(copying, table)
    await copyVerifications(copying)
    await putHead(target, { ledger, head, token })
    await commitConfirmed(target, () => target.query('commit'))
    return { size: head.size, root: head.root }
  } catch (error) {
    await target.query('rollback').catch(() => {})
    throw error
  } finally {
    await source.query('rollback').catch(() => {})
  }
}

async function copyNewEvents(copying: Copying, { size }: Copied): Promise<void> {
  const { target, ledger } = copying
  const from = await countEvents(target, ledger)
  if (from > size) {
    throw new Error(`the target has ${from} events of ledger ${ledger}, and the source ${size}`)
  }
  await copyEvents(copying, { from, size })
}

async function readHead(client: pg.Client, ledger: number): Promise<HeadRow> {
  const { rows } = await client.query<HeadRow>(
    `select size, root, model, row_to_json(head)::text as json from ledger.head as head
     where ledger_id = $1`,
    [ledger],
  )
  const [head] = rows
  if (head === undefined) throw new Error(`ledger ${ledger} has no events: it needs no move`)
  return head
}

async function countEvents(client: pg.Client, ledger: number): Promise<bigint> {
  const { rows } = await client.query<{ size: bigint }>(
    'select coalesce(max(seq) + 1, 0) as size from ledger.event where ledger_id = $1',
    [ledger],
  )
  return rows[0]?.size ?? 0n
}

async function formatNewRefusals({ target, ledger }: Copying): Promise<string> {
  const { rows } = await target.query<{ next: bigint }>(
    'select coalesce(max(place) + 1, 0) as next from ledger.refusal where ledger_id = $1',
    [ledger],
  )
  return `place >= ${rows[0]?.next ?? 0n}`
}

/** The results of verifications are only shown. A running one has no result yet. */
async function copyVerifications(copying: Copying): Promise<void> {
  await copyMissingRows(copying, 'verification', 'finished_at is not null')
}

async function putHead(
  target: pg.Client,
  { ledger, head, token }: { ledger: number; head: HeadRow; token: bigint },
): Promise<void> {
  const model = addSeal(head.model, 'arriving')
  const { rows } = await target.query<{ model: number }>(
    'select model from ledger.head where ledger_id = $1 for update',
    [ledger],
  )
  const [stored] = rows
  if (stored !== undefined && findSealKind(stored.model) === null) {
    throw new Error(`the target already serves ledger ${ledger}`)
  }
  await target.query(
    `insert into ledger.head select (json_populate_record(null::ledger.head, $1::json)).*
     on conflict (ledger_id) do update set size = excluded.size, root = excluded.root,
       frontier = excluded.frontier, refusal_count = excluded.refusal_count,
       refusal_hash = excluded.refusal_hash, last_recorded_at = excluded.last_recorded_at`,
    [head.json],
  )
  await target.query('update ledger.head set model = $2, fencing_token = $3 where ledger_id = $1', [
    ledger,
    model,
    token,
  ])
}
