import type { UserStatus } from '@cairn/gateway-contracts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { toFailure, toServerFailure } from '../../platform/ledger-client/refusal.ts'
import { closeSessionsOf } from '../sessions/index.ts'
import { lockAdmin, lockStatusAndName, requireAdminsLeft, type UserRow } from '../users/index.ts'
import { mailSetupLink } from './admin-invitation.ts'

export type StatusVerb = 'approve' | 'active' | 'deactivate' | 'deny'

export const TARGETS: Record<StatusVerb, UserStatus> = {
  approve: 'active',
  active: 'active',
  deactivate: 'deactivated',
  deny: 'denied',
}
const MOVES: Record<UserStatus, readonly UserStatus[]> = {
  pending: ['active', 'denied'],
  active: ['deactivated'],
  deactivated: ['active'],
  denied: ['active'],
}

/**
 * Throws if the current status does not permit the change, or if the administrator changes their
 * own status.
 */
export function requireAllowedTransition(user: UserRow, verb: StatusVerb, adminId: string): void {
  const target = TARGETS[verb]
  if (user.id === adminId) throw createStatusConflictFailure('You cannot change your own status')
  if (MOVES[user.status].includes(target)) return
  throw createStatusConflictFailure(`A user who is ${user.status} cannot become ${target}`)
}

/** Throws if the name is another one than the administrator has seen; null if it is not known. */
export function requireSeenName({ name }: Pick<UserRow, 'name'>, seenName: string | null): void {
  if (seenName === null || seenName === name) return
  const message = 'The name has changed since you opened this page. Read it before you decide.'
  throw new HttpFailure(409, 'NAME_CHANGED', message)
}

/**
 * Sets the status of an investor, first in the ledger. Once the ledger has suspended an investor,
 * it refuses new deposit requests, investments and withdrawal requests. The row stays locked from
 * the check to the update. Otherwise two administrators at once could leave different statuses in
 * the ledger and on the site.
 */
export async function setInvestorStatus(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  change: {
    user: UserRow
    verb: StatusVerb
    admin: Caller
    seenName: string | null
    requestId: string
    nowMs: number
  },
): Promise<void> {
  const { user, verb, admin, seenName, nowMs } = change
  const target = TARGETS[verb]
  await deps.db.transaction().execute(async (trx) => {
    const known = { ...user, ...(await lockStatusAndName(trx, user.id)) }
    const isSame = known.status === target
    if (!isSame) {
      requireAllowedTransition(known, verb, admin.userId)
      // An approval verifies the name, with which bank accounts are compared.
      requireSeenName(known, seenName)
    }
    // Also if the site has this status already: after a lost answer, the ledger can have another.
    await updateInvestorInLedger(deps, user, { ...change, target })
    if (isSame) return
    await trx
      .updateTable('identity.user')
      .set({ status: target, activation_wanted_at: null, updated_at: new Date(nowMs) })
      .where('id', '=', user.id)
      .execute()
    if (target !== 'active') await closeSessionsOf(trx, user.id)
  })
}

export async function setAdminStatus(
  trx: DatabaseTransaction,
  deps: Pick<Dependencies, 'ledger' | 'seal'>,
  change: { userId: string; verb: StatusVerb; adminId: string; nowMs: number },
): Promise<void> {
  const { userId, verb, adminId, nowMs } = change
  const target = TARGETS[verb]
  const known = await lockAdmin(trx, userId)
  if (known === null) throw createStatusConflictFailure('This user is not an administrator')
  if (target !== 'active') await requireAdminsLeft(trx, deps, { userId, adminId })
  const now = new Date(nowMs)
  await trx
    .updateTable('identity.user')
    .set({
      status: target,
      activation_wanted_at: null,
      updated_at: now,
    })
    .where('id', '=', userId)
    .execute()
  if (target !== 'active') await closeSessionsOf(trx, userId)
  const isFirstTime = known.status === 'pending' && target === 'active'
  if (isFirstTime) await mailSetupLink(trx, deps, { userId, nowMs })
}

async function updateInvestorInLedger(
  deps: Pick<Dependencies, 'ledger'>,
  user: UserRow,
  change: { admin: Caller; requestId: string; target: UserStatus },
): Promise<void> {
  const { admin, requestId, target } = change
  const envelope = {
    actor: `admin:${admin.userId}`,
    key: null,
    requestId,
    effectiveAt: null,
  }
  const investorId = user.id
  const command =
    target === 'active'
      ? {
          ...envelope,
          type: 'ActivateInvestor' as const,
          data: { investorId, referrerId: user.referrer_id },
        }
      : {
          ...envelope,
          type: 'SuspendInvestor' as const,
          data: { investorId, standing: target === 'denied' ? 'denied' : 'deactivated' } as const,
        }
  const answer = await deps.ledger.submit(command)
  // An interrupted earlier call can already have set the status in the ledger.
  const isDone =
    answer.outcome === 'refused' &&
    answer.code === 'STANDING_CONFLICT' &&
    answer.details.standing === target
  if (answer.outcome === 'recorded' || isDone) return
  throw answer.outcome === 'refused' ? toFailure(answer) : toServerFailure(answer)
}

function createStatusConflictFailure(message: string): HttpFailure {
  return new HttpFailure(409, 'STATUS_CONFLICT', message)
}
