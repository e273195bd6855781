import { inviteAdmin, OWNER } from '@cairn/gateway-contracts'
import { newId } from '@cairn/ledger-contracts'
import { grantRoles } from '../../platform/access/granted-roles.ts'
import {
  type Database,
  type DatabaseTransaction,
  findViolatedConstraint,
} from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { SUCCESS } from '../../platform/http/audit.ts'
import { HttpFailure, invalidField } from '../../platform/http/failure.ts'
import { callerOf, type Exchange, type Route, route } from '../../platform/http/registry.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { announceToAdmins } from '../notifications/index.ts'
import { issueLink } from '../passwords/index.ts'
import {
  getUserRow,
  isSecondAdminBinding,
  NO_PASSWORD,
  newAdminRow,
  presentUser,
  type UserRow,
} from '../users/index.ts'

const INVITED = 'user.invite-admin'

/**
 * Invites an administrator. It needs a second approval: an administrator who could create others
 * alone could give both approvals.
 */
export function createInvitationRoute(deps: Dependencies): Route {
  const options = { rate: 'write', owner: 'any', audit: INVITED } as const
  return route(inviteAdmin, { ...options, needsFreshFactor: true }, async ({ body }, exchange) => {
    const { nowMs } = exchange
    const { roles = OWNER, ...person } = body
    const id = newId(nowMs)
    const status = (await isSecondAdminBinding(deps, 'admins.control')) ? 'pending' : 'active'
    const row = newAdminRow({ ...person, id, passwordHash: NO_PASSWORD, nowMs })
    await deps.db.transaction().execute(async (trx) => {
      await insertNew(trx, { ...row, status })
      await grantRoles(trx, { userId: id, roles, grantedBy: callerOf(exchange).userId, nowMs })
      if (status === 'active') await mailSetupLink(trx, deps, { userId: id, nowMs })
    })
    exchange.note({ subject: id, roles, status })
    await announce(deps, exchange, { ...person, id })
    return { user: await presentUser(deps, await getUserRow(deps.db, id)) }
  })
}

async function insertNew(
  trx: DatabaseTransaction,
  row: ReturnType<typeof newAdminRow>,
): Promise<void> {
  try {
    await trx.insertInto('identity.user').values(row).execute()
  } catch (error) {
    if (findViolatedConstraint(error) !== 'user_email_key') throw error
    throw invalidField('email', 'This e-mail address is already registered')
  }
}

/** Refuses the inviter if another administrator has to approve the invitation. */
export async function requireOtherThanInviter(
  deps: Pick<Dependencies, 'db' | 'ledger'>,
  { invited, adminId }: { invited: UserRow; adminId: string },
): Promise<void> {
  if (!(await isSecondAdminBinding(deps, 'admins.control'))) return
  const invitation = await deps.db
    .selectFrom('platform.audit')
    .select('actor_id')
    .where('subject', '=', invited.id)
    .where('action', '=', INVITED)
    .where('result', '=', SUCCESS)
    .executeTakeFirst()
  // The inviter is unknown for a pending account without an invitation; an earlier activation
  // counts as an approval.
  const isOther =
    invitation === undefined ? invited.status !== 'pending' : invitation.actor_id !== adminId
  if (isOther) return
  const message = 'Another administrator must approve your invitation'
  throw new HttpFailure(409, 'SECOND_APPROVER_NEEDED', message)
}

/** The owner of the mailbox sets the first password. */
export async function mailSetupLink(
  trx: Database,
  deps: Pick<Dependencies, 'seal'>,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<void> {
  const { path } = await issueLink(trx, { purpose: 'setup', userId, nowMs })
  await queueMail(trx, deps.seal, { kind: 'admin-invited', userId, content: { path }, nowMs })
}

function announce(
  deps: Pick<Dependencies, 'db' | 'live'>,
  exchange: Exchange,
  { id, name, email }: { id: string; name: string; email: string },
): Promise<void> {
  return announceToAdmins(deps, {
    permission: 'roles.read',
    source: `request/${exchange.requestId}`,
    kind: 'security',
    title: `${name} was invited as an administrator`,
    body: `${email}, by ${callerOf(exchange).name}, from ${exchange.ip}.`,
    link: `/manage/admin/users/${id}`,
    nowMs: exchange.nowMs,
  })
}
