import type { ChangeKind, ChangeState, ChangeSummary } from '@cairn/gateway-contracts'
import { APPROVAL_DAYS_MAX } from '@cairn/ledger-contracts'
import { hashToHex } from '@cairn/service-kit/hash-text'
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { createNotFoundFailure } from '../../platform/http/failure.ts'

/**
 * The lifetime of a request. The ledger refuses a command with an approval that is older than this
 * lifetime.
 */
const EXPIRY_MS = APPROVAL_DAYS_MAX * 86_400_000
const OPEN = ['pending', 'approved'] as const
const APPROVALS: readonly ChangeKind[] = ['deposit-approval', 'withdrawal-approval']

/**
 * A stored request. The types of `kind` and `state` are narrower than the types of the columns,
 * because only the gateway writes these columns.
 */
export type ChangeRow = Omit<Selectable<Tables['platform.change_request']>, 'kind' | 'state'> & {
  kind: ChangeKind
  state: ChangeState
}

const toRow = (row: Selectable<Tables['platform.change_request']>) => row as ChangeRow

export async function insertRequest(
  trx: Database,
  request: {
    id: string
    kind: ChangeKind
    target: string
    title: string
    payload: string
    before: string
    reason: string
    createdBy: string
    nowMs: number
  },
): Promise<ChangeRow> {
  const { id, kind, target, title, payload, before, reason, createdBy, nowMs } = request
  const row = await trx
    .insertInto('platform.change_request')
    .values({
      id,
      kind,
      target,
      title,
      payload,
      payload_sha256: hashToHex(payload),
      before,
      reason,
      created_by: createdBy,
      created_at: new Date(nowMs),
      expires_at: new Date(nowMs + EXPIRY_MS),
      state: 'pending',
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRow(row)
}

export async function findOpenRequest(
  db: Database,
  { kind, target }: { kind: ChangeKind; target: string },
): Promise<ChangeRow | null> {
  const row = await db
    .selectFrom('platform.change_request')
    .selectAll()
    .where('kind', '=', kind)
    .where('target', '=', target)
    .where('state', 'in', OPEN)
    .executeTakeFirst()
  return row === undefined ? null : toRow(row)
}

/**
 * Returns the targets of those of these requests that wait for an approval. The approval of a
 * transaction is also returned until it is carried out. Otherwise, the page would offer to approve
 * the transaction again.
 */
export async function listWaitingTargets(
  db: Database,
  requests: readonly Pick<ChangeRow, 'kind' | 'target'>[],
): Promise<ReadonlySet<string>> {
  if (requests.length === 0) return new Set()
  const kinds = requests.map(({ kind }) => kind)
  const targets = requests.map(({ target }) => target)
  const rows = await db
    .selectFrom('platform.change_request')
    .select('target')
    .where((eb) =>
      eb.or([
        eb('state', '=', 'pending'),
        eb.and([eb('state', '=', 'approved'), eb('kind', 'in', APPROVALS)]),
      ]),
    )
    .where(
      sql<boolean>`(kind, target) in (select * from unnest(${kinds}::text[], ${targets}::text[]))`,
    )
    .execute()
  return new Set(rows.map(({ target }) => target))
}

export async function findRequest(db: Database, id: string): Promise<ChangeRow | null> {
  const row = await db
    .selectFrom('platform.change_request')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row === undefined ? null : toRow(row)
}

export async function getRequest(db: Database, id: string): Promise<ChangeRow> {
  const row = await findRequest(db, id)
  if (row === null) throw createNotFoundFailure('There is no such change request')
  return row
}

/** Locks the request, so that approval, expiry and execution cannot run at the same time. */
export async function lockRequest(trx: DatabaseTransaction, id: string): Promise<ChangeRow> {
  const row = await trx
    .selectFrom('platform.change_request')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw createNotFoundFailure('There is no such change request')
  return toRow(row)
}

/** Sets the state of a request. `decided` is omitted if the decision is already recorded. */
export async function setRequestState(
  trx: Database,
  change: {
    id: string
    state: ChangeState
    failure?: string | null
    decided?: { by: string | null; nowMs: number }
  },
): Promise<ChangeRow> {
  const { id, state, failure, decided } = change
  const row = await trx
    .updateTable('platform.change_request')
    .set({
      state,
      ...(failure === undefined ? {} : { failure }),
      ...(decided === undefined
        ? {}
        : { decided_by: decided.by, decided_at: new Date(decided.nowMs) }),
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRow(row)
}

/** Marks an approved request as started, before the command of its change is sent. */
export async function setRequestStart(
  trx: Database,
  id: string,
  nowMs: number,
): Promise<ChangeRow> {
  const row = await trx
    .updateTable('platform.change_request')
    .set({ started_at: new Date(nowMs) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  return toRow(row)
}

/**
 * Marks overdue pending requests as expired, and returns their number. If an approval has locked a
 * request, the function waits for the approval and then leaves the approved request unchanged.
 */
export async function expireOverdueRequests(db: Database, nowMs: number): Promise<number> {
  const now = new Date(nowMs)
  const rows = await db
    .updateTable('platform.change_request')
    .set({ state: 'expired', decided_at: now })
    .where('state', '=', 'pending')
    .where('expires_at', '<=', now)
    .returning('id')
    .execute()
  return rows.length
}

export interface Approval {
  approverId: string
  approvedAtMs: number
  payloadSha256: string
}

export async function insertApproval(trx: Database, id: string, approval: Approval): Promise<void> {
  await trx
    .insertInto('platform.change_approval')
    .values({
      request_id: id,
      approver_id: approval.approverId,
      approved_at: new Date(approval.approvedAtMs),
      payload_sha256: approval.payloadSha256,
    })
    .execute()
}

export async function listApprovals(db: Database, id: string): Promise<readonly Approval[]> {
  const rows = await db
    .selectFrom('platform.change_approval')
    .selectAll()
    .where('request_id', '=', id)
    .orderBy('approved_at')
    .execute()
  return rows.map(({ approver_id, approved_at, payload_sha256 }) => ({
    approverId: approver_id,
    approvedAtMs: approved_at.getTime(),
    payloadSha256: payload_sha256,
  }))
}

export interface ChangeFilter {
  state?: ChangeState | 'open' | undefined
  kind?: ChangeKind | undefined
  target?: string | undefined
}

/** Lists the requests, newest first. `after` is the last request of the previous page. */
export async function listRequests(
  db: Database,
  {
    state,
    kind,
    target,
    limit,
    after,
  }: ChangeFilter & { limit: number; after?: string | undefined },
): Promise<readonly ChangeRow[]> {
  let query = db
    .selectFrom('platform.change_request')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
  if (state !== undefined) query = query.where(filterByState(state))
  if (kind !== undefined) query = query.where('kind', '=', kind)
  if (target !== undefined) query = query.where('target', '=', target)
  if (after !== undefined) query = query.where('id', '<', after)
  return (await query.execute()).map(toRow)
}

/** Counts the open requests, and returns the time of the oldest open request. */
export async function countOpenRequests(
  db: Database,
): Promise<{ count: number; oldestAt: Date | null }> {
  return await db
    .selectFrom('platform.change_request')
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<Date | null>`min(created_at)`.as('oldestAt'),
    ])
    .where(filterByState('open'))
    .executeTakeFirstOrThrow()
}

function filterByState(state: ChangeState | 'open'): RawBuilder<SqlBool> {
  const states = state === 'open' ? OPEN : [state]
  return sql<SqlBool>`state = any(${states})`
}

export function toSummary(row: ChangeRow): ChangeSummary {
  return {
    id: row.id,
    _id: row.id,
    kind: row.kind,
    title: row.title,
    target: row.target,
    state: row.state,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
  }
}
