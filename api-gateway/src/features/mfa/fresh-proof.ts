import type { Dependencies } from '../../platform/dependencies.ts'
import { requireRecentFactor } from '../../platform/http/caller.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { type Exchange, getCaller } from '../../platform/http/registry.ts'
import { readPolicy } from '../../platform/settings-store/policy.ts'
import { requirePassword } from '../passwords/index.ts'

/** The password is not required again within this number of milliseconds after a login. */
const FRESH_LOGIN_MS = 600_000

type ProofDependencies = Pick<Dependencies, 'db' | 'seal' | 'settings' | 'rateLimitScale'>

/**
 * Throws unless the caller, who wants to add a factor, has recently proved their identity. The
 * proof is the use of an existing factor. Without a factor, the proof is the password or a recent
 * login.
 */
export async function requireFreshProof(
  deps: ProofDependencies,
  exchange: Exchange,
  password: string | undefined,
): Promise<void> {
  const caller = getCaller(exchange)
  const { nowMs } = exchange
  if (password !== undefined) await requireOwnPassword(deps, exchange, password)
  if (caller.isMfaEnabled) {
    return requireRecentFactor(await readPolicy(deps.settings), caller, nowMs)
  }
  if (password === undefined && nowMs - caller.sessionOpenedAtMs > FRESH_LOGIN_MS) {
    throw new HttpFailure(403, 'PASSWORD_NEEDED', 'Please enter your password')
  }
}

export async function requireOwnPassword(
  deps: ProofDependencies,
  exchange: Exchange,
  password: string,
): Promise<void> {
  const { userId, email } = getCaller(exchange)
  const { ip, nowMs } = exchange
  await requirePassword(deps, { userId, email, ip, nowMs }, { field: 'password', password })
}
