import { confirmEmail, updateProfile } from '@cairn/gateway-contracts'
import type { DatabaseTransaction } from '../../platform/database/database.ts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { createInvalidFieldFailure } from '../../platform/http/failure.ts'
import { declareRoute, type Exchange, getCaller, type Route } from '../../platform/http/registry.ts'
import { findCountryCode } from '../countries/index.ts'
import { requirePassword } from '../passwords/index.ts'
import { getFactorUse, isRemembered, replaceSession } from '../sessions/index.ts'
import {
  getUserRow,
  lockStatusAndName,
  presentUser,
  requirePresentableUser,
  type UserRow,
} from '../users/index.ts'
import {
  cancelEmailChange,
  changeEmail,
  hasValidCode,
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
          // An approval or a review of the name may have been committed since `user` was read.
          const current = { role: user.role, ...(await lockStatusAndName(trx, user.id)) }
          const change = toNameChange(current, body.name)
          await trx
            .updateTable('identity.user')
            .set({ ...change, phone, country, updated_at: new Date(nowMs) })
            .where('id', '=', user.id)
            .execute()
          await saveEmail(trx, deps, { user, email: body.email, nowMs })
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

/**
 * Requests a change of the address. The current address withdraws a pending change. The pending
 * address changes nothing while its code is valid, and otherwise requests a new code.
 */
async function saveEmail(
  trx: DatabaseTransaction,
  deps: Dependencies,
  change: { user: UserRow; email: string; nowMs: number },
): Promise<void> {
  const { user, email, nowMs } = change
  if (email === user.email) return await cancelEmailChange(trx, user.id)
  const isPending = email === user.pending_email
  if (isPending && (await hasValidCode(trx, { userId: user.id, nowMs }))) return
  await requestEmailChange(trx, deps, change)
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
    passwordChangedAtMs,
    isRemembered: remembered,
    factors: getFactorUse(caller),
  })
  return await presentUser(deps, await getUserRow(deps.db, userId))
}

/**
 * Returns the columns to update. The name of an approved user is verified, so a new name waits for
 * a review.
 */
function toNameChange(
  { role, status, name: verified }: Pick<UserRow, 'role' | 'status' | 'name'>,
  name: string,
) {
  const isVerified = role === 'user' && status === 'active'
  if (!isVerified) return { name, pending_name: null }
  return { pending_name: name === verified ? null : name }
}

/** Returns the ISO code of the country; null if the form has no country. */
function parseCountry(given: string | null | undefined): string | null {
  if (given === null || given === undefined || given === '') return null
  const code = findCountryCode(given)
  if (code === null) throw createInvalidFieldFailure('country', 'Choose a country')
  return code
}
