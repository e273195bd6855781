import { closeMyAccount, downloadMyData } from '@cairn/gateway-contracts'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import {
  createFileRoute,
  declareRoute,
  type Exchange,
  getCaller,
  type Route,
} from '../../platform/http/registry.ts'
import { queueMail } from '../../platform/mail/outbox.ts'
import { clearSessionCookies } from '../login/index.ts'
import { requirePassword } from '../passwords/index.ts'
import { getUserRow } from '../users/index.ts'
import { closeAndEraseAccount } from './deletion.ts'
import { exportPersonalData } from './personal-data.ts'

/** Creates the routes to download the caller's personal data and to close the account. */
export function createClosingRoutes(deps: Dependencies): readonly Route[] {
  return [
    createFileRoute(
      downloadMyData,
      { rate: 'read', owner: 'own', audit: 'user.download-data', isExport: true },
      async (_request, exchange) => {
        const { userId } = getCaller(exchange)
        exchange.note({ subject: userId })
        return await exportPersonalData(deps, { userId, nowMs: exchange.nowMs })
      },
    ),
    declareRoute(
      closeMyAccount,
      { rate: 'write', owner: 'own', audit: 'user.close', needsFreshFactor: true },
      async ({ body }, exchange) => {
        await closeOwnAccount(deps, body.password, exchange)
        return null
      },
    ),
  ]
}

async function closeOwnAccount(
  deps: Dependencies,
  password: string,
  exchange: Exchange,
): Promise<void> {
  const { userId, email, role } = getCaller(exchange)
  const { ctx, ip, requestId, nowMs } = exchange
  if (role === 'admin') {
    const message = 'An administrator’s account is deleted by another administrator'
    throw new HttpFailure(409, 'STATUS_CONFLICT', message)
  }
  await requirePassword(deps, { userId, email, ip, nowMs }, { field: 'password', password })
  const user = await getUserRow(deps.db, userId)
  const content = { to: user.email, holder: user.name }
  const mail = { kind: 'account-closed', userId, content, nowMs } as const
  await closeAndEraseAccount(deps, {
    user,
    actor: `user:${userId}`,
    requestId,
    nowMs,
    onErased: (trx) => queueMail(trx, deps.seal, mail),
  }).catch((error: unknown) => {
    throw toOwnAccountFailure(error)
  })
  exchange.note({ subject: userId })
  clearSessionCookies(deps, ctx)
}

function toOwnAccountFailure(error: unknown): unknown {
  if (!(error instanceof HttpFailure) || error.code !== 'INVESTOR_NOT_EMPTY') return error
  const message =
    'Your account still has money, a pending request or a running investment. Withdraw what is left and let the rest end first.'
  return new HttpFailure(error.status, error.code, message)
}
