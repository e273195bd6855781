import { APPROVAL_DAYS_MAX, type Command } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import { listHolders } from '../../platform/access/granted-roles.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { toFailure, toServerFailure } from '../../platform/ledger-client/refusal.ts'
import { APPROVER_PERMISSION, NO_PASSWORD, readControls } from '../users/index.ts'
import { CHANGE_ACTOR, toCommandApproval } from './command-approval.ts'
import { listApprovals } from './store.ts'

/** The ledger accepts no older approval. */
const AGREEMENT_MAX_MS = APPROVAL_DAYS_MAX * 86_400_000

type Sources = Pick<Dependencies, 'clock' | 'db' | 'ledger'>

/**
 * Makes the approvers in the ledger equal to the active administrators whose roles may decide
 * transactions. While two approvers are required, the ledger accepts a change to the approvers only
 * with the approvals of a change request. The command contains these approvals.
 */
export async function syncApprovers(deps: Sources): Promise<void> {
  const [{ approvers }, admins] = await Promise.all([
    readControls(deps),
    listAdmins(deps.db, deps.clock.now()),
  ])
  const active = new Map(
    approvers.flatMap((one) => (one.isActive ? [[one.approverId, one.addedAt] as const] : [])),
  )
  for (const [approverId, hasPassword] of admins) {
    if (!hasPassword || active.has(approverId)) continue
    await sendCommand(deps, { type: 'AddApprover', data: { approverId }, since: null })
  }
  for (const [approverId, addedAt] of active) {
    if (admins.has(approverId)) continue
    const data = { approverId, reason: 'No longer an administrator who may decide' }
    await sendCommand(deps, { type: 'RemoveApprover', data, since: Date.parse(addedAt) })
  }
}

type ApproverCommand = Pick<
  Extract<Command, { type: 'AddApprover' | 'RemoveApprover' }>,
  'type' | 'data'
> & { since: number | null }

async function sendCommand(deps: Sources, { type, data, since }: ApproverCommand): Promise<void> {
  const about = { userId: data.approverId, sinceMs: since, nowMs: deps.clock.now() }
  const agreement = await findAgreement(deps.db, about)
  // The cast is safe because `ApproverCommand` pairs each type with its data.
  const command = { type, data, effectiveAt: null } as Pick<
    Command,
    'type' | 'data' | 'effectiveAt'
  >
  const answer = await deps.ledger.submit({
    ...command,
    actor: CHANGE_ACTOR,
    key: null,
    requestId: null,
    approval: agreement === null ? null : toCommandApproval(agreement, command),
  } as Command)
  if (answer.outcome === 'failed') throw toServerFailure(answer)
  if (answer.outcome === 'refused' && !EXPECTED.includes(answer.code)) throw toFailure(answer)
}

/**
 * These refusals are not errors: another gateway sent the command first, or no approved change
 * request permits the command.
 */
const EXPECTED: readonly string[] = [
  'APPROVER_CONFLICT',
  'SECOND_APPROVER_NEEDED',
  'APPROVAL_INVALID',
  'LAST_APPROVERS',
]

/**
 * Returns the active administrators who may decide transactions, by id. The value is true if the
 * administrator has set a password.
 */
async function listAdmins(db: Database, nowMs: number): Promise<ReadonlyMap<string, boolean>> {
  const holders = await listHolders(db, { permission: APPROVER_PERMISSION, nowMs })
  const rows = await db
    .selectFrom('identity.user')
    .select(['id', sql<boolean>`password_hash <> ${NO_PASSWORD}`.as('hasPassword')])
    .where(sql<boolean>`id = any(${holders.map(({ userId }) => userId)})`)
    .execute()
  return new Map(rows.map(({ id, hasPassword }) => [id, hasPassword]))
}

/**
 * Finds the change request that adds or removes this administrator and was approved after
 * `sinceMs`.
 */
async function findAgreement(
  db: Database,
  { userId, sinceMs, nowMs }: { userId: string; sinceMs: number | null; nowMs: number },
) {
  const kinds = sinceMs === null ? ADDING : REMOVING
  const row = await db
    .selectFrom('platform.change_request')
    .select(['id', 'created_by', 'created_at'])
    .where('state', '=', 'executed')
    .where('kind', 'in', kinds)
    .where(sql<boolean>`coalesce(payload::jsonb ->> 'userId', payload::jsonb ->> 'id') = ${userId}`)
    .where('created_at', '>', new Date(nowMs - AGREEMENT_MAX_MS))
    .where('decided_at', '>', new Date(sinceMs ?? 0))
    .orderBy('decided_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const approval = row === undefined ? undefined : (await listApprovals(db, row.id)).at(-1)
  if (row === undefined || approval === undefined) return null
  return {
    createdBy: row.created_by,
    createdAtMs: row.created_at.getTime(),
    approvedBy: approval.approverId,
    approvedAtMs: approval.approvedAtMs,
  }
}

const ADDING = ['admin-invitation', 'admin-status', 'admin-roles'] as const
const REMOVING = ['admin-status', 'admin-deletion', 'admin-roles'] as const
