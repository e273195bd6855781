import type { QueryResponse } from '@cairn/ledger-contracts'
import { sql } from 'kysely'
import type { Database, DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import type { UserRow } from './user.ts'

/** The query also sums recent acts up to this time; the sums are not used here. */
const NO_TIME = new Date(0).toISOString()

export type Controls = QueryResponse<'controls'>

/** The approvers and the dual control of the installation, which the ledger keeps. */
export function readControls({ ledger }: Pick<Dependencies, 'ledger'>): Promise<Controls> {
  return ledger.ask('controls', { now: NO_TIME })
}

/** True if a change that weakens a control needs two people. */
export async function isDualControlRequired(deps: Pick<Dependencies, 'ledger'>): Promise<boolean> {
  return (await readControls(deps)).mode === 'required'
}

/** The administrator, locked in a transaction; null for an investor or an unknown id. */
export async function findAdminTarget(
  db: Database,
  userId: string,
): Promise<Pick<
  UserRow,
  'id' | 'name' | 'status' | 'mfa_enabled_at' | 'is_reset_required'
> | null> {
  const row = await db
    .selectFrom('identity.user')
    .select(['id', 'name', 'status', 'mfa_enabled_at', 'is_reset_required'])
    .where('id', '=', userId)
    .where('role', '=', 'admin')
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  return row ?? null
}

/**
 * Refuses to remove the last administrator and, while dual control is required, the last but one
 * approver. Removals are serialised, because two concurrent ones could each count the other
 * administrator.
 */
export async function requireAdminsLeft(
  trx: DatabaseTransaction,
  deps: Pick<Dependencies, 'ledger'>,
  change: { userId: string; adminId: string },
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('the last administrator'))`.execute(trx)
  const active = await trx
    .selectFrom('identity.user')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .execute()
  const others = active.filter(({ id }) => id !== change.userId)
  if (!others.some(({ id }) => id === change.adminId)) {
    const message =
      'This is the last active administrator, or you are no longer an active administrator'
    throw new HttpFailure(409, 'STATUS_CONFLICT', message)
  }
  const { mode, approvers } = await readControls(deps)
  const canApprove = new Set(
    approvers.filter(({ isActive }) => isActive).map(({ approverId }) => approverId),
  )
  if (mode === 'single' || !canApprove.has(change.userId)) return
  if (others.filter(({ id }) => canApprove.has(id)).length >= 2) return
  throw new HttpFailure(409, 'STATUS_CONFLICT', 'At least two approvers must stay active')
}
