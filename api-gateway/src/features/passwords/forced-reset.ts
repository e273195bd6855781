import { forcePasswordReset } from '@cairn/gateway-contracts'
import { z } from 'zod'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import {
  ADMIN_CHANGE,
  type ChangeDefinition,
  isChangeNeeded,
  type RequestDependencies,
  requestChange,
  toTextLine,
} from '../change-requests/index.ts'
import { closeSessionsOf } from '../sessions/index.ts'
import { getUserRow, lockAdmin, requireMayControl } from '../users/index.ts'
import { mailResetLink } from './password-reset.ts'

const ResetPayload = z.strictObject({ userId: z.string(), name: z.string() })
export type PasswordResetPayload = z.infer<typeof ResetPayload>

/** Creates the definition of the change that makes an administrator set a new password. */
export function createPasswordResetChange(
  deps: Pick<Dependencies, 'seal'>,
): ChangeDefinition<PasswordResetPayload> {
  return {
    ...ADMIN_CHANGE,
    kind: 'admin-password-reset',
    payload: ResetPayload,
    getTitle: ({ name }) => `Password reset of ${name}`,
    readBefore: async (db, { userId }) => (await lockAdmin(db, userId))?.is_reset_required ?? null,
    describeChange: async () => [
      toTextLine('Password', {
        before: 'Accepted',
        after: 'Refused until the person sets a new password with a mailed link',
      }),
    ],
    execute: ({ trx, payload, nowMs }) => forceReset(trx, deps, { ...payload, nowMs }),
  }
}

/**
 * Creates the route that ends the sessions of a user and mails a link. The user cannot log in
 * before setting a new password.
 */
export function createForcedResetRoute(deps: RequestDependencies): Route {
  const definition = createPasswordResetChange(deps)
  return declareRoute(
    forcePasswordReset,
    { rate: 'write', owner: 'any', audit: 'user.force-reset' },
    async ({ params, body }, exchange) => {
      const { nowMs } = exchange
      const user = await getUserRow(deps.db, params.id)
      requireMayControl(user, getCaller(exchange))
      const { id: userId, name, role } = user
      const isNeeded = await isChangeNeeded(deps, definition)
      if (role === 'admin' && isNeeded) {
        const payload = { userId, name }
        const proposal = {
          payload,
          reason: body.reason ?? null,
          fields: [],
          errors: 'list',
        } as const
        throw await requestChange(deps, exchange, { definition, proposal })
      }
      await deps.db.transaction().execute((trx) => forceReset(trx, deps, { userId, nowMs }))
      exchange.note({ subject: userId })
      return null
    },
  )
}

async function forceReset(
  trx: DatabaseTransaction,
  deps: Pick<Dependencies, 'seal'>,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<void> {
  await trx
    .updateTable('identity.user')
    .set({ is_reset_required: true, updated_at: new Date(nowMs) })
    .where('id', '=', userId)
    .execute()
  await closeSessionsOf(trx, userId)
  await mailResetLink(trx, deps, { userId, nowMs })
}
