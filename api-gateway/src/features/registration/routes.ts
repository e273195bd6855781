import { resendCode, signUp, verifyEmail } from '@cairn/gateway-contracts'
import type { Logger } from 'pino'
import type { Dependencies } from '../../platform/dependencies.ts'
import { HttpFailure } from '../../platform/http/failure.ts'
import { declareRoute, type Route } from '../../platform/http/registry.ts'
import { createVisitCookies } from '../sessions/index.ts'
import { CODE_MINUTES, createNoPendingCodeFailure } from './email-codes.ts'
import { registerUser } from './sign-up.ts'
import { resendCodeTo, verifyMailbox } from './verification.ts'

export function createRegistrationRoutes(deps: Dependencies, log: Logger): readonly Route[] {
  const cookies = createVisitCookies(deps)
  return [
    declareRoute(
      signUp,
      { rate: 'sign-up', owner: 'any', audit: 'user.sign-up' },
      async ({ body }, { ctx, nowMs, note }) => {
        const pendingHash = cookies.issuePendingCookie(ctx)
        const { retryAfterSeconds } = await registerUser(deps, body, { pendingHash, nowMs })
        note({ country: body.country })
        return { email: body.email, retryAfter: retryAfterSeconds, codeMinutes: CODE_MINUTES }
      },
    ),
    declareRoute(
      verifyEmail,
      { rate: 'code', owner: 'own', audit: 'user.verify-email' },
      async ({ body }, { ctx, nowMs, requestId }) => {
        const pendingHash = cookies.readPendingCookie(ctx)
        if (pendingHash === null) throw createNoPendingCodeFailure()
        const proved = await verifyMailbox(deps, { pendingHash, code: body.code, nowMs })
        if (proved.activationError !== null) {
          log.warn(
            { err: proved.activationError, requestId },
            'activation failed, the worker will retry it',
          )
        }
        cookies.clearPendingCookie(ctx)
        return { email: proved.email, status: proved.status }
      },
    ),
    declareRoute(
      resendCode,
      { rate: 'code', owner: 'own', audit: null },
      async (_request, { ctx, nowMs }) => {
        const pendingHash = cookies.readPendingCookie(ctx)
        const code = pendingHash === null ? null : await resendCodeTo(deps, { pendingHash, nowMs })
        // The answer is the same for a missing, an unknown and a replaced registration.
        if (code === null) throw createNoSignUpFailure()
        return { retryAfter: code.retryAfterSeconds, isSent: code.isSent }
      },
    ),
  ]
}

function createNoSignUpFailure(): HttpFailure {
  const message =
    'This browser has no open sign-up. Please sign up again, or log in to get a new code.'
  return new HttpFailure(401, 'NO_PENDING_CODE', message)
}
