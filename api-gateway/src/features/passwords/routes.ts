import {
  changePassword,
  checkLink,
  forgotPassword,
  RESET_LINK_MINUTES,
  resetPassword,
} from '@cairn/gateway-contracts'
import type { Logger } from 'pino'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createInvalidFieldFailure } from '../../platform/http/failure.ts'
import { declareRoute, getCaller, type Route } from '../../platform/http/registry.ts'
import { syncApprovers } from '../change-requests/index.ts'
import {
  getFactorUse,
  isRemembered,
  replaceSession,
  requireSameCredentials,
} from '../sessions/index.ts'
import { getUserRow, presentUser, requirePresentableUser } from '../users/index.ts'
import { requirePassword } from './authentication.ts'
import { findLink } from './link-tokens.ts'
import { hashNewPassword, setPassword } from './password-change.ts'
import { resetPasswordByLink, sendResetLink } from './password-reset.ts'

export function createPasswordRoutes(deps: Dependencies, log: Logger): readonly Route[] {
  return [
    createChangePasswordRoute(deps),
    declareRoute(
      forgotPassword,
      { rate: 'code', owner: 'any', audit: 'user.forgot-password' },
      async ({ body }, { nowMs, requestId }) => {
        // The call does not wait for the mail, so that the response time does not reveal whether a
        // mail was sent.
        void sendResetLink(deps, { email: body.email, nowMs }).catch((err) =>
          log.error({ err, requestId }, 'a reset link was not sent'),
        )
        return { linkMinutes: RESET_LINK_MINUTES }
      },
    ),
    declareRoute(
      checkLink,
      { rate: 'code', owner: 'any', audit: null },
      async ({ body }, { nowMs }) => {
        const { purpose, userId } = await findLink(deps.db, { token: body.token, nowMs })
        return { purpose, isAccountNeeded: userId === null }
      },
    ),
    declareRoute(
      resetPassword,
      { rate: 'code', owner: 'any', audit: 'user.reset-password' },
      async ({ body }, { nowMs, note }) => {
        const { userId } = await resetPasswordByLink(deps, body, nowMs)
        note({ subject: userId })
        // Makes a new administrator an approver. If the ledger is unavailable, a job makes the
        // administrator an approver later.
        const { role } = await getUserRow(deps.db, userId)
        if (role === 'admin') await syncApprovers(deps).catch(() => undefined)
        return null
      },
    ),
  ]
}

function createChangePasswordRoute(deps: Dependencies): Route {
  return declareRoute(
    changePassword,
    { rate: 'write', owner: 'own', audit: 'user.change-password' },
    async ({ body }, exchange) => {
      const { ip, nowMs } = exchange
      const caller = getCaller(exchange)
      const { userId, email, sessionHash, passwordChangedAtMs } = caller
      const given = { field: 'currentPassword', password: body.currentPassword }
      await requirePassword(deps, { userId, email, ip, nowMs }, given)
      if (body.newPassword === body.currentPassword) {
        throw createInvalidFieldFailure(
          'newPassword',
          'Choose a password that differs from your current password',
        )
      }
      const user = await getUserRow(deps.db, userId)
      await requirePresentableUser(deps, user)
      const input = { field: 'newPassword', password: body.newPassword }
      const passwordHash = await hashNewPassword(deps, user, input)
      const remembered = await isRemembered(deps.db, sessionHash)
      await deps.db.transaction().execute(async (trx) => {
        // The password was checked before the new password was hashed. A reset in the meantime
        // must win.
        await requireSameCredentials(trx, { userId, passwordChangedAtMs })
        await setPassword(trx, deps, { user, passwordHash, nowMs, keptSession: sessionHash })
      })
      await replaceSession(deps, exchange, {
        user,
        passwordChangedAtMs: nowMs,
        isRemembered: remembered,
        factors: getFactorUse(caller),
      })
      return { user: await presentUser(deps, await getUserRow(deps.db, userId)) }
    },
  )
}
