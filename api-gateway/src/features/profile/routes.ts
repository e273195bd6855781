import { confirmEmail, updateProfile } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createInvalidFieldFailure } from '../../platform/http/failure.ts'
import { declareRoute, type Exchange, getCaller, type Route } from '../../platform/http/registry.ts'
import { findCountryCode } from '../countries/index.ts'
import { requirePassword } from '../passwords/index.ts'
import { getFactorUse, isRemembered, replaceSession } from '../sessions/index.ts'
import { getUserRow, presentUser, requirePresentableUser, type UserRow } from '../users/index.ts'
import {
  cancelEmailChange,
  changeEmail,
  redeemEmailCode,
  requestEmailChange,
} from './email-change.ts'

export function createProfileRoutes(deps: Dependencies): readonly Route[] {
  return [
    declareRoute(
      updateProfile,
      { rate: 'write', owner: 'own', audit: 'user.update-profile' },
      async ({ body }, exchange) => {
        const { nowMs } = exchange
        const user = await getUserRow(deps.db, getCaller(exchange).userId)
        await requirePresentableUser(deps, user)
        const country = parseCountry(body.country) ?? user.country
        const phone = body.phone ?? user.phone
        await deps.db.transaction().execute(async (trx) => {
          await trx
            .updateTable('identity.user')
            .set({ ...toNameChange(user, body.name), phone, country, updated_at: new Date(nowMs) })
            .where('id', '=', user.id)
            .execute()
          const { email } = body
          if (email === user.email) await cancelEmailChange(trx, user.id)
          else if (email !== user.pending_email)
            await requestEmailChange(trx, deps, { user, email, nowMs })
        })
        return { user: await presentUser(deps, await getUserRow(deps.db, user.id)) }
      },
    ),
    declareRoute(
      confirmEmail,
      { rate: 'write', owner: 'own', audit: 'user.change-email' },
      async ({ body }, exchange) => ({ user: await confirmEmailChange(deps, exchange, body) }),
    ),
  ]
}

async function confirmEmailChange(
  deps: Dependencies,
  exchange: Exchange,
  proof: { code: string; password: string },
) {
  const { ip, nowMs } = exchange
  const caller = getCaller(exchange)
  const { userId, email: oldEmail, sessionHash, passwordChangedAtMs } = caller
  const given = { field: 'password', password: proof.password }
  await requirePassword(deps, { userId, email: oldEmail, ip, nowMs }, given)
  const user = await getUserRow(deps.db, userId)
  await requirePresentableUser(deps, user)
  const email = await redeemEmailCode(deps, { user, code: proof.code, nowMs })
  const remembered = await isRemembered(deps.db, sessionHash)
  // The password was checked before. A change of the password in the meantime must win.
  const change = { user, passwordChangedAtMs, email, nowMs, keptSession: sessionHash }
  await changeEmail(deps, change)
  await replaceSession(deps, exchange, {
    user,
    isRemembered: remembered,
    factors: getFactorUse(caller),
  })
  return await presentUser(deps, await getUserRow(deps.db, userId))
}

/**
 * Returns the columns to update. The name of an approved user is verified, so a new name waits for
 * a review.
 */
function toNameChange({ role, status, name: verified }: UserRow, name: string) {
  const isVerified = role === 'user' && status === 'active'
  if (!isVerified) return { name, pending_name: null }
  return { pending_name: name === verified ? null : name }
}
    passwordChangedAtMs,

/** Returns the ISO code of the country; null if the form has no country. */
function parseCountry(given: string | null | undefined): string | null {
  if (given === null || given === undefined || given === '') return null
  const code = findCountryCode(given)
  if (code === null) throw createInvalidFieldFailure('country', 'Choose a country')
  return code
}
