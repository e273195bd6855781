import type { UserStatus } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { toFailure, toServerFailure } from '../../platform/ledger-client/refusal.ts'
import { closeSessionsOf } from '../sessions/index.ts'
import { getUserRow, requireAdminsLeft, requireControlOf, type UserRow } from '../users/index.ts'
import { mailSetupLink, requireOtherThanInviter } from './admin-invitation.ts'

export type StatusVerb = 'approve' | 'active' | 'deactivate' | 'deny'

const TARGETS: Record<StatusVerb, UserStatus> = {
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

/** Changes the ledger first: after the answer, no command of a suspended investor commits. */
export async function changeStatus(
  deps: Pick<Dependencies, 'db' | 'ledger' | 'seal'>,
  change: { userId: string; verb: StatusVerb; admin: Caller; requestId: string; nowMs: number },
): Promise<UserRow> {
  const { userId, verb, admin, nowMs } = change
  const user = await getUserRow(deps.db, userId)
  requireControlOf(user, admin)
  const target = TARGETS[verb]
  if (user.status === target) return user
  if (userId === admin.userId) throw conflict('You cannot change your own status')
  if (!MOVES[user.status].includes(target)) {
    throw conflict(`A user who is ${user.status} cannot become ${target}`)
  }
  const isInvited = user.role === 'admin' && user.status === 'pending' && target === 'active'
  // An invited administrator who was denied still needs the approval of an administrator other than
  // the inviter.
  if (user.role === 'admin' && target === 'active') {
    await requireOtherThanInviter(deps, { invited: user, adminId: admin.userId })
  }
  if (user.role === 'user') await updateLedger(deps, user, { ...change, target })
  await deps.db.transaction().execute(async (trx) => {
    if (user.role === 'admin' && target !== 'active') {
      await requireAdminsLeft(trx, deps, { userId, adminId: admin.userId })
    }
    await trx
      .updateTable('identity.user')
      .set({ status: target, activation_wanted_at: null, updated_at: new Date(nowMs) })
      .where('id', '=', userId)
      .execute()
    if (target !== 'active') await closeSessionsOf(trx, userId)
    if (isInvited) await mailSetupLink(trx, deps, { userId, nowMs })
  })
  return { ...user, status: target }
}

async function updateLedger(
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
  // After an interrupted call the ledger may already have the status.
  const isDone =
    answer.outcome === 'refused' &&
    answer.code === 'STANDING_CONFLICT' &&
    answer.details.standing === target
  if (answer.outcome === 'recorded' || isDone) return
  throw answer.outcome === 'refused' ? toFailure(answer) : toServerFailure(answer)
}

function conflict(message: string): HttpFailure {
  return new HttpFailure(409, 'STATUS_CONFLICT', message)
}
