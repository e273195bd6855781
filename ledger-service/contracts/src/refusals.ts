/** The codes of refusals. A refused command writes no event. */
export const REFUSALS = [
  'INVESTOR_UNKNOWN',
  'INVESTOR_NOT_ACTIVE',
  'INVESTOR_NOT_EMPTY',
  'STANDING_CONFLICT',
  'PLAN_UNKNOWN',
  'PLAN_CLOSED',
  'PLAN_INVALID',
  'TERMS_CHANGED',
  'ID_ALREADY_USED',
  'TRANSACTION_UNKNOWN',
  'TRANSACTION_DECIDED',
  'NOT_YOURS',
  'TOO_MANY_PENDING',
  'AMOUNT_BELOW_MINIMUM',
  'AMOUNT_ABOVE_MAXIMUM',
  'INSUFFICIENT_FUNDS',
  'WITHDRAWAL_LIMIT',
  'FULLY_SUBSCRIBED',
  'INVESTMENT_UNKNOWN',
  'INVESTMENT_NOT_ACTIVE',
  'NOT_DUE',
  'NOT_REVERSIBLE',
  'SECOND_APPROVER_NEEDED',
  'APPROVAL_INVALID',
  'NOT_AN_APPROVER',
  'APPROVER_CONFLICT',
  'LAST_APPROVERS',
  'AUDIT_SEAL_CONFLICT',
  'MONTH_CONFLICT',
  'CURRENCY_FIXED',
  'CURRENCY_UNCHANGED',
  'ASSET_INVALID',
  'MODEL_CONFLICT',
  'IMPORT_INVALID',
  'IMPORT_CONFLICT',
  'IMPORT_CLOSED',
  'IMPORT_NOT_PERMITTED',
  'HANDOVER_INVALID',
  'ROTATION_NOT_PERMITTED',
  'BANK_ACCOUNT_CHANGED',
  'ALREADY_ON_HOLD',
  'COOLING_OFF_OVER',
  'EFFECTIVE_IN_FUTURE',
  'KEY_REUSED',
  'LINKED_COMMAND_REFUSED',
] as const
export type RefusalCode = (typeof REFUSALS)[number]

/**
 * The code and the sentence of each refusal. `{name}` in a sentence is replaced by the detail with
 * that name. The ledger stores and hashes the sentence, so a released one is never changed.
 */
export const refusals = {
  investorUnknown: ['INVESTOR_UNKNOWN', 'The ledger does not know this investor'],
  accountUnknown: ['INVESTOR_UNKNOWN', 'There is no such account'],
  ownerClosed: ['INVESTOR_UNKNOWN', 'The investor has closed the account'],
  investorNotActive: ['INVESTOR_NOT_ACTIVE', 'The account is {standing}'],
  investorNotEmpty: [
    'INVESTOR_NOT_EMPTY',
    'The account still has money, a pending request or a running investment',
  ],
  standingUnchanged: ['STANDING_CONFLICT', 'The account is already {standing}'],
  payoutOfActive: [
    'STANDING_CONFLICT',
    'The account is active, so only its investor can request a withdrawal',
  ],
  accountClosed: ['STANDING_CONFLICT', 'The account is closed'],
  planUnknown: ['PLAN_UNKNOWN', 'There is no such plan'],
  planClosed: ['PLAN_CLOSED', 'This plan takes no new investments'],
  planInvalid: ['PLAN_INVALID', 'The maximum is below the minimum'],
  termsChanged: ['TERMS_CHANGED', 'The terms of this plan have changed; look at them again'],
  transactionExists: ['ID_ALREADY_USED', 'This transaction exists already'],
  investmentExists: ['ID_ALREADY_USED', 'This investment exists already'],
  requestUnknown: ['TRANSACTION_UNKNOWN', 'There is no such {type}'],
  requestDecided: ['TRANSACTION_DECIDED', 'This {type} was already {decision}'],
  requestNotYours: ['NOT_YOURS', 'There is no such {type}'],
  investmentNotYours: ['NOT_YOURS', 'There is no such investment'],
  tooManyPending: [
    'TOO_MANY_PENDING',
    'There are already {pendingMax} pending requests. Wait for a decision or cancel one of them.',
  ],
  belowMinimumDeposit: ['AMOUNT_BELOW_MINIMUM', 'The amount is below the minimum deposit'],
  belowMinimumWithdrawal: ['AMOUNT_BELOW_MINIMUM', 'The amount is below the minimum withdrawal'],
  belowPlanMinimum: ['AMOUNT_BELOW_MINIMUM', 'The amount is below the minimum of the plan'],
  abovePlanMaximum: ['AMOUNT_ABOVE_MAXIMUM', 'The amount is above the maximum of the plan'],
  aboveBalance: ['INSUFFICIENT_FUNDS', 'Insufficient wallet balance'],
  aboveAvailable: ['INSUFFICIENT_FUNDS', 'The amount is above what is available'],
  aboveWallet: ['INSUFFICIENT_FUNDS', 'The wallet does not hold that much'],
  aboveReserve: ['INSUFFICIENT_FUNDS', 'The reserve does not hold that much'],
  aboveOperatorAccount: ['INSUFFICIENT_FUNDS', 'The account {account} does not hold that much'],
  depositSpent: ['INSUFFICIENT_FUNDS', 'The money of this deposit is no longer in the wallet'],
  feeSpent: ['INSUFFICIENT_FUNDS', 'The fees account no longer holds the fee of this request'],
  profitWithdrawn: [
    'INSUFFICIENT_FUNDS',
    'The profit of this investment is no longer in the wallet',
  ],
  withdrawalLimit: ['WITHDRAWAL_LIMIT', 'The amount is above the withdrawal limit per {period}'],
  fullySubscribed: ['FULLY_SUBSCRIBED', 'This plan is fully subscribed'],
  investmentUnknown: ['INVESTMENT_UNKNOWN', 'There is no such investment'],
  investmentNotActive: ['INVESTMENT_NOT_ACTIVE', 'This investment is already {status}'],
  notDue: ['NOT_DUE', 'Units {units} are not due'],
  bonusNotDue: ['NOT_DUE', 'No referral bonus of this investment is due'],
  stillPending: ['NOT_REVERSIBLE', 'This request is still pending: approve or decline it'],
  alreadyReversed: ['NOT_REVERSIBLE', 'The status of this request is already {status}'],
  cancelledByOwner: ['NOT_REVERSIBLE', 'The investor cancelled this request; a new one is needed'],
  secondNeeded: ['SECOND_APPROVER_NEEDED', 'A second administrator has to approve this'],
  approvalOfOther: ['APPROVAL_INVALID', 'The approvals belong to a different request'],
  approvalExpired: ['APPROVAL_INVALID', 'The approval of {approver} is older than seven days'],
  approvalFromFuture: ['APPROVAL_INVALID', 'The approval of {approver} has a time in the future'],
  approverUnknown: ['APPROVAL_INVALID', '{approver} may not approve'],
  approverTooNew: ['APPROVAL_INVALID', '{approver} may approve from {from} on'],
  notAnApprover: ['NOT_AN_APPROVER', 'This administrator may not decide about money or controls'],
  approverExists: ['APPROVER_CONFLICT', 'This administrator is an approver already'],
  approverMissing: ['APPROVER_CONFLICT', 'This administrator is not an approver'],
  modeUnchanged: ['APPROVER_CONFLICT', 'Dual control is {mode} already'],
  lastApprovers: ['LAST_APPROVERS', 'At least two approvers must stay active'],
  auditSealConflict: ['AUDIT_SEAL_CONFLICT', 'The audit log is sealed up to row {count} already'],
  monthNotEnded: ['MONTH_CONFLICT', 'The month {month} has not ended yet'],
  monthNotNext: ['MONTH_CONFLICT', 'The next month that can be closed is {month}'],
  monthStateTooEarly: ['MONTH_CONFLICT', 'The state must not be older than the end of the month'],
  currencyFixed: ['CURRENCY_FIXED', 'The currency cannot be changed after money has moved'],
  currencyUnchanged: ['CURRENCY_UNCHANGED', 'The currency is {asset} already'],
  modelNotNext: [
    'MODEL_CONFLICT',
    'Version {version} of the rules is in force, so only the next one can be activated',
  ],
  assetIsCurrency: ['ASSET_INVALID', '{asset} is the currency of this ledger'],
  assetNotMoved: ['ASSET_INVALID', 'The money must move to another account'],
  importedAsset: [
    'ASSET_INVALID',
    'The account {account} has amounts in {asset}; only cash and the reserve can have another asset',
  ],
  importedBelowZero: ['IMPORT_INVALID', 'The account {account} cannot be below zero'],
  importedLine: [
    'IMPORT_CONFLICT',
    'Line {line} is not the next one: the lines of a file are imported in order, each once',
  ],
  importedAccount: [
    'IMPORT_CONFLICT',
    'The account {account} has entries already, so it has no opening balance',
  ],
  importClosed: [
    'IMPORT_CLOSED',
    'Business has begun. Another file can be imported only while dual control is required',
  ],
  importNotPermitted: [
    'IMPORT_NOT_PERMITTED',
    'Two administrators must first permit this file on the page Accounts; the permission is valid for {days} days',
  ],
  handoverInvalid: ['HANDOVER_INVALID', 'The change of the signing key is not valid: {why}'],
  rotationNotPermitted: [
    'ROTATION_NOT_PERMITTED',
    'Two administrators must first permit a new signing key on the page Checkpoints; the permission is valid for {days} days',
  ],
  bankAccountChanged: [
    'BANK_ACCOUNT_CHANGED',
    'The bank account has changed since the request. Decline the withdrawal, so that the investor can request it again.',
  ],
  alreadyOnHold: ['ALREADY_ON_HOLD', 'This withdrawal is on hold already'],
  coolingOffOver: ['COOLING_OFF_OVER', 'The cooling-off period of this investment has ended'],
  effectiveInFuture: ['EFFECTIVE_IN_FUTURE', 'The effective time must not be in the future'],
  keyReused: ['KEY_REUSED', 'This idempotency key was already used for a different request'],
  linkedKeysReused: [
    'KEY_REUSED',
    'An idempotency key of these linked commands was already used outside of this group of commands',
  ],
  linkedRefused: [
    'LINKED_COMMAND_REFUSED',
    'Nothing was recorded, because linked command {index} was refused with {code}',
  ],
} as const satisfies Record<string, readonly [RefusalCode, string]>
export type RefusalCause = keyof typeof refusals

type Placeholders<Sentence> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never
/**
 * The details of a refusal. They include at least the details that the sentence of the refusal
 * names.
 */
export type RefusalDetails<Cause extends RefusalCause> = Readonly<Record<string, string>> & {
  readonly [Name in Placeholders<(typeof refusals)[Cause][1]>]: string
}

/** The details. They may be omitted if the sentence of the refusal names no details. */
export type RefusalArguments<Cause extends RefusalCause> = [
  Placeholders<(typeof refusals)[Cause][1]>,
] extends [never]
  ? [details?: RefusalDetails<Cause>]
  : [details: RefusalDetails<Cause>]

/** Returns the code of a refusal, its sentence with the details filled in, and the details. */
export function describeRefusal<Cause extends RefusalCause>(
  cause: Cause,
  ...[given]: RefusalArguments<Cause>
): { code: RefusalCode; message: string; details: Record<string, string> } {
  const [code, sentence] = refusals[cause]
  const details: Record<string, string> = { ...given }
  const message = sentence.replaceAll(/\{(\w+)\}/g, (_, name: string) => details[name] ?? '')
  return { code, message, details }
}
