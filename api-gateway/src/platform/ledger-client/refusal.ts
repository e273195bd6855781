import { INVESTOR_NOT_ACTIVE, REFUSAL_STATUS } from '@cairn/gateway-contracts'
import type { Answer, Refused } from '@cairn/ledger-contracts'
import {
  createKeyReusedFailure,
  createLedgerUnavailableFailure,
  createNotFoundFailure,
  createOverloadedFailure,
  HttpFailure,
} from '../http/failure.ts'

/** Converts a refusal of the ledger to the failure that the caller of the API gets. */
export function toFailure({ code, message }: Refused): HttpFailure {
  // The gateway deletes a stored response after 30 days, but the ledger keeps the key. A request
  // that is repeated after that time gets this refusal.
  if (code === 'KEY_REUSED') return createKeyReusedFailure()
  const status = REFUSAL_STATUS[code]
  const isAboutInvestor = status === 403 && code !== 'NOT_AN_APPROVER'
  if (isAboutInvestor) return new HttpFailure(status, code, INVESTOR_NOT_ACTIVE.message)
  return status === 404 ? createNotFoundFailure(message) : new HttpFailure(status, code, message)
}

/**
 * Converts `INVESTOR_UNKNOWN` to 409 with the ledger's message; returns null for every other code.
 * Callers use this function if an administrator acts on the account of an investor.
 */
export function toTargetFailure({ code, message }: Refused): HttpFailure | null {
  return code === 'INVESTOR_UNKNOWN' ? new HttpFailure(409, code, message) : null
}

export function toServerFailure(answer: Extract<Answer, { outcome: 'failed' }>): HttpFailure {
  const { code, message } = answer
  switch (code) {
    case 'OVERLOADED':
      return createOverloadedFailure()
    case 'UNAVAILABLE':
      return createLedgerUnavailableFailure()
    case 'MALFORMED':
    case 'POISON':
      return new HttpFailure(500, code, 'Something went very wrong!', { cause: new Error(message) })
  }
}
