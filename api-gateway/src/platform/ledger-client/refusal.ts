import type { Answer, Refused } from '@cairn/ledger-contracts'
import { HttpFailure, ledgerUnavailable, notFound } from '../http/failure.ts'

const NOT_ALLOWED = 'Your account cannot do this at the moment'

/** Converts a refusal to the failure that the caller of the API receives. */
export function toFailure({ code, message }: Refused): HttpFailure {
  switch (code) {
    case 'INVESTOR_UNKNOWN':
    case 'INVESTOR_NOT_ACTIVE':
      return new HttpFailure(403, code, NOT_ALLOWED)
    case 'TRANSACTION_UNKNOWN':
    case 'INVESTMENT_UNKNOWN':
    case 'PLAN_UNKNOWN':
    case 'NOT_YOURS':
      return notFound(message)
    case 'INVESTOR_NOT_EMPTY':
    case 'STANDING_CONFLICT':
    case 'TERMS_CHANGED':
    case 'ID_ALREADY_USED':
    case 'TRANSACTION_DECIDED':
    case 'INVESTMENT_NOT_ACTIVE':
    case 'NOT_DUE':
    case 'NOT_REVERSIBLE':
    case 'SECOND_APPROVER_NEEDED':
    case 'APPROVAL_DIFFERS':
    case 'COOLING_OFF_OVER':
      return new HttpFailure(409, code, message)
    case 'PLAN_CLOSED':
    case 'AMOUNT_BELOW_MINIMUM':
    case 'AMOUNT_ABOVE_MAXIMUM':
    case 'INSUFFICIENT_FUNDS':
    case 'WITHDRAWAL_LIMIT':
    case 'FULLY_SUBSCRIBED':
    case 'TOO_MANY_PENDING':
    case 'KEY_REUSED':
    case 'EFFECTIVE_IN_FUTURE':
    case 'UNSUPPORTED':
      return new HttpFailure(422, code, message)
    case 'PLAN_INVALID':
      return new HttpFailure(400, code, message)
  }
}

/** The failure for an administrator if the account of another user is the cause; null otherwise. */
export function toTargetFailure({ code, message }: Refused): HttpFailure | null {
  return code === 'INVESTOR_UNKNOWN' ? new HttpFailure(409, code, message) : null
}

export function toServerFailure(answer: Extract<Answer, { outcome: 'failed' }>): HttpFailure {
  const { code, message } = answer
  switch (code) {
    case 'OVERLOADED':
      return new HttpFailure(429, code, 'The platform is busy. Please try again.', {
        retryAfterSeconds: 1,
      })
    case 'UNAVAILABLE':
      return ledgerUnavailable()
    case 'MALFORMED':
    case 'POISON':
      return new HttpFailure(500, code, 'Something went very wrong!', { cause: new Error(message) })
  }
}
