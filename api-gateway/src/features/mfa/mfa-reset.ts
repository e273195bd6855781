import { resetUserMfa } from '@cairn/gateway-contracts'
import { z } from 'zod'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { storePrivateText } from '../../platform/erasure/private-text.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import {
  ADMIN_CHANGE,
  type ChangeDefinition,
  isChangeNeeded,
  type RequestDependencies,
  requestChange,
  toTextLine,
} from '../change-requests/index.ts'
import { startCredentialHold } from '../passwords/index.ts'
import { closeSessionsOf } from '../sessions/index.ts'
import { getUserRow, lockAdmin, requireMayControl } from '../users/index.ts'
import { removeSecondFactors } from './mfa.ts'

type ResetDependencies = Pick<Dependencies, 'seal' | 'settings'>

const ResetPayload = z.strictObject({ userId: z.string(), name: z.string(), proof: z.string() })
export type ResetPayload = z.infer<typeof ResetPayload>

/** Creates the definition of the change that removes the second factor of an administrator. */
export function createMfaResetChange(deps: ResetDependencies): ChangeDefinition<ResetPayload> {
  return {
    ...ADMIN_CHANGE,
    kind: 'admin-mfa-reset',
    payload: ResetPayload,
    getTitle: ({ name }) => `Removal of the second factor of ${name}`,
    readBefore: async (db, { userId }) => {
      return (await lockAdmin(db, userId))?.mfa_enabled_at?.toISOString() ?? null
    },
    describeChange: async ({ proof }, before) => [
      toTextLine('Second factor', {
        before: before === null ? 'None' : `Set up on ${z.string().parse(before)}`,
        after: 'None',
      }),
      toTextLine('How the identity was checked', { after: proof }),
    ],
    execute: ({ trx, payload, nowMs }) => resetFactor(trx, deps, { ...payload, nowMs }),
  }
}

/**
 * Creates the route that removes the second factor of a user who lost the phone and the recovery
 * codes. Withdrawals pause, and a mail informs the user.
 */
export function createMfaResetRoute(deps: RequestDependencies & ResetDependencies): Route {
  const options = { rate: 'write', owner: 'any', audit: 'user.reset-mfa' } as const
  const definition = createMfaResetChange(deps)
  return declareRoute(
    resetUserMfa,
    { ...options, needsFreshFactor: true },
    async ({ params, body }, exchange) => {
      const { nowMs } = exchange
      const user = await getUserRow(deps.db, params.id)
      requireMayControl(user, getCaller(exchange))
      const { id: userId, name, role, mfa_enabled_at } = user
      const isNeeded = await isChangeNeeded(deps, definition)
      if (userId === getCaller(exchange).userId) {
        const message = 'Change your own second factor in your account settings'
        throw new HttpFailure(409, 'MFA_OWN', message)
      }
      if (mfa_enabled_at === null) {
        throw new HttpFailure(409, 'MFA_NOT_ON', 'Two-factor authentication is not on')
      }
      const proof = await storePrivateText(deps.db, { userId, text: body.proof, nowMs })
      if (role === 'admin' && isNeeded) {
        const payload = { userId, name, proof }
        const proposal = { payload, reason: body.proof, fields: ['proof'], errors: 'list' } as const
        throw await requestChange(deps, exchange, { definition, proposal })
      }
      await deps.db.transaction().execute((trx) => resetFactor(trx, deps, { userId, nowMs }))
      exchange.note({ subject: userId, proof })
      return null
    },
  )
}

async function resetFactor(
  trx: DatabaseTransaction,
  deps: ResetDependencies,
  { userId, nowMs }: { userId: string; nowMs: number },
): Promise<void> {
  const user = await getUserRow(trx, userId)
  await removeSecondFactors(trx, userId)
  await closeSessionsOf(trx, userId)
  await startCredentialHold(trx, deps, { user, nowMs })
  await queueMail(trx, deps.seal, { kind: 'mfa-off', userId, content: {}, nowMs })
}
