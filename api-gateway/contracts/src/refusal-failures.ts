import { type RefusalCause, type RefusalCode, refusals } from '@cairn/ledger-contracts'
import { type DeclaredFailure, declareFailure } from './failures.ts'

/** The HTTP status of each refusal of the ledger. */
export const REFUSAL_STATUS: Readonly<Record<RefusalCode, number>> = {
  PLAN_INVALID: 400,
  INVESTOR_UNKNOWN: 403,
  INVESTOR_NOT_ACTIVE: 403,
  TRANSACTION_UNKNOWN: 404,
  INVESTMENT_UNKNOWN: 404,
  PLAN_UNKNOWN: 404,
  NOT_YOURS: 404,
  INVESTOR_NOT_EMPTY: 409,
  STANDING_CONFLICT: 409,
  TERMS_CHANGED: 409,
  ID_ALREADY_USED: 409,
  TRANSACTION_DECIDED: 409,
  INVESTMENT_NOT_ACTIVE: 409,
  NOT_DUE: 409,
  NOT_REVERSIBLE: 409,
  SECOND_APPROVER_NEEDED: 409,
  APPROVAL_INVALID: 409,
  NOT_AN_APPROVER: 403,
  APPROVER_CONFLICT: 409,
  LAST_APPROVERS: 409,
  LINKED_COMMAND_REFUSED: 409,
  AUDIT_SEAL_CONFLICT: 409,
  MONTH_CONFLICT: 409,
  HANDOVER_INVALID: 409,
  ROTATION_NOT_PERMITTED: 409,
  BANK_ACCOUNT_CHANGED: 409,
  CURRENCY_FIXED: 409,
  MODEL_CONFLICT: 409,
  IMPORT_INVALID: 422,
  IMPORT_CONFLICT: 409,
  IMPORT_CLOSED: 409,
  IMPORT_NOT_PERMITTED: 409,
  CURRENCY_UNCHANGED: 409,
  ASSET_INVALID: 422,
  ALREADY_ON_HOLD: 409,
  COOLING_OFF_OVER: 409,
  PLAN_CLOSED: 422,
  AMOUNT_BELOW_MINIMUM: 422,
  AMOUNT_ABOVE_MAXIMUM: 422,
  INSUFFICIENT_FUNDS: 422,
  WITHDRAWAL_LIMIT: 422,
  FULLY_SUBSCRIBED: 422,
  TOO_MANY_PENDING: 422,
  KEY_REUSED: 422,
  EFFECTIVE_IN_FUTURE: 422,
}

/**
 * Returns the failure that an endpoint declares for a refusal of the ledger. The failure has the
 * ledger's message.
 */
export function declareRefusal(cause: RefusalCause, status?: number): DeclaredFailure {
  const [code, sentence] = refusals[cause]
  return declareFailure(status ?? REFUSAL_STATUS[code], code, sentence)
}
