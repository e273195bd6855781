import type { Dependencies } from '../../platform/dependencies.ts'
import { requireRecentFactor } from '../../platform/http/caller.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { type Exchange, getCaller } from '../../platform/http/registry.ts'
import { readPolicy } from '../../platform/settings-store/policy.ts'
import { requirePassword } from '../passwords/index.ts'

type ProofDependencies = Pick<Dependencies, 'db' | 'seal' | 'settings' | 'rateLimitScale'>

/**
 * Throws unless the caller, who wants to add a factor, proves their identity. The proof is the
 * recent use of an existing factor; without a factor, it is the password. The age of the session
 * proves nothing, because a stolen session can be new.
 */
export async function requireFreshProof(
  deps: ProofDependencies,
  exchange: Exchange,
  password: string | undefined,
): Promise<void> {
  const caller = getCaller(exchange)
  if (password !== undefined) await requireOwnPassword(deps, exchange, password)
  if (caller.isMfaEnabled) {
    return requireRecentFactor(await readPolicy(deps.settings), caller, exchange.nowMs)
  }
  if (password === undefined) {
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
