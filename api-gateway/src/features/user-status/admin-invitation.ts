import { inviteAdmin, OWNER, RoleChoices } from '@cairn/gateway-contracts'
import { z } from 'zod'
import { grantRoles } from '../../platform/access/granted-roles.ts'
import { type Database, findViolatedConstraint } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createInvalidFieldFailure, HttpFailure } from '../../platform/http/failure.ts'
import { declareRoute, type Exchange, getCaller, type Route } from '../../platform/http/registry.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import {
  type ChangeDefinition,
  isChangeNeeded,
  requestChange,
  toMaskableLine,
  toPersonalLine,
  toTextLine,
  writeMaskable,
} from '../change-requests/index.ts'
import { announceToAdmins } from '../notifications/index.ts'
import { issueLink } from '../passwords/index.ts'
import { describeRoles } from '../roles/index.ts'
import { createAdminRow, getUserRow, NO_PASSWORD, presentUser } from '../users/index.ts'

const TAKEN = 'This email address is already registered'

const InvitationPayload = z.strictObject({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  roles: RoleChoices,
})
export type InvitationPayload = z.infer<typeof InvitationPayload>

/**
 * Creates the definition of the change that adds an administrator. The change needs two people. If
 * one administrator could add administrators alone, this administrator could give both approvals of
 * every change.
 */
export function createInvitationChange(
  deps: Pick<Dependencies, 'seal'>,
): ChangeDefinition<InvitationPayload> {
  return {
    kind: 'admin-invitation',
    payload: InvitationPayload,
    permission: { propose: 'admins.invite', approve: 'admins.invite' },
    isNeeded: 'with-dual-control',
    getTarget: ({ email }) => email,
    targetField: 'email',
    getTitle: ({ name }) => `Invitation of ${name} as an administrator`,
    getLink: () => '/manage/admin/users',
    // The invited person has no account yet, so no user is a beneficiary.
    listBeneficiaries: () => [],
    readBefore: async (db, { email }) => ({ isRegistered: await isRegistered(db, email) }),
    describeChange: async ({ name, email, roles }) => [
      toPersonalLine('Name', { after: name }),
      toMaskableLine('Email', {
        after: writeMaskable({ field: 'email', value: email }, (address) => address),
      }),
      toTextLine('Roles', { after: describeRoles(roles) }),
    ],
    execute: async ({ trx, payload, requestId, createdBy: invitedBy, nowMs }) => {
      if (await isRegistered(trx, payload.email)) throw new HttpFailure(409, 'CHANGE_FAILED', TAKEN)
      await insertInvitedAdmin(trx, deps, { ...payload, invitedBy, nowMs })
      await announceToAdmins(trx, {
        permission: 'roles.read',
        source: `change/${requestId}`,
        kind: 'security',
        title: `${payload.name} was invited as an administrator`,
        body: 'Two administrators agreed on the change.',
        link: `/manage/admin/users/${payload.id}`,
        nowMs,
      })
    },
  }
}

export function createInvitationRoute(deps: Dependencies): Route {
  const options = { rate: 'write', owner: 'any', audit: 'user.invite-admin' } as const
  const definition = createInvitationChange(deps)
  return declareRoute(
    inviteAdmin,
    { ...options, needsFreshFactor: true },
    async ({ body }, exchange) => {
      const { nowMs, subjectId: id } = exchange
      const { reason = null, roles = [...OWNER], ...person } = body
      if (await isRegistered(deps.db, person.email)) throw createInvalidFieldFailure('email', TAKEN)
      const payload = { id, ...person, roles }
      if (await isChangeNeeded(deps, definition)) {
        const proposal = { payload, reason, fields: ['name', 'email'], errors: 'list' } as const
        throw await requestChange(deps, exchange, { definition, proposal })
      }
      const invitedBy = getCaller(exchange).userId
      try {
        await deps.db
          .transaction()
          .execute((trx) => insertInvitedAdmin(trx, deps, { ...payload, invitedBy, nowMs }))
      } catch (error) {
        if (findViolatedConstraint(error) !== 'user_email_key') throw error
        throw createInvalidFieldFailure('email', TAKEN)
      }
      exchange.note({ subject: id, roles })
      await announceInvitation(deps.db, exchange, payload)
      return { user: await presentUser(deps, await getUserRow(deps.db, id)) }
    },
  )
}

async function isRegistered(db: Database, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('identity.user')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  return row !== undefined
}

async function insertInvitedAdmin(
  trx: Database,
  deps: Pick<Dependencies, 'seal'>,
  invited: InvitationPayload & { invitedBy: string; nowMs: number },
): Promise<void> {
  const { id, name, email, roles, invitedBy: grantedBy, nowMs } = invited
  const row = createAdminRow({ id, name, email, passwordHash: NO_PASSWORD, nowMs })
  await trx.insertInto('identity.user').values(row).execute()
  await grantRoles(trx, { userId: id, roles, grantedBy, nowMs })
  await mailSetupLink(trx, deps, { userId: id, nowMs })
}

/** Mails a link with which the invited administrator sets the first password. */
export async function mailSetupLink(
  trx: Database,
  deps: Pick<Dependencies, 'seal'>,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<void> {
  const { path } = await issueLink(trx, { purpose: 'setup', userId, nowMs })
  await queueMail(trx, deps.seal, { kind: 'admin-invited', userId, content: { path }, nowMs })
}

function announceInvitation(
  db: Database,
  exchange: Exchange,
  { id, name }: InvitationPayload,
): Promise<void> {
  return announceToAdmins(db, {
    permission: 'roles.read',
    source: `request/${exchange.requestId}`,
    kind: 'security',
    title: `${name} was invited as an administrator`,
    // Roles that see addresses masked read this text too, so it has no email address.
    body: `${getCaller(exchange).name} sent the invitation from the address ${exchange.ip}.`,
    link: `/manage/admin/users/${id}`,
    nowMs: exchange.nowMs,
  })
}
