import { z } from 'zod'
import { ChangeKind } from './change-kinds.ts'
import { DOCUMENT_TYPES, declareCsvEndpoint, declareEndpoint } from './endpoint.ts'
import {
  declareFailure,
  declareNotFound,
  FILE_CHANGED,
  LEDGER_COMMAND_FAILURES,
  LEDGER_QUERY_FAILURES,
} from './failures.ts'
import {
  byId,
  createRequiredTextField,
  createWholeNumberField,
  Id,
  Instant,
  identity,
  idParams,
  SINGLE_LINE,
} from './fields.ts'
import { Person } from './users.ts'

/**
 * `pending`: the request waits for a decision. `approved`: the change will be carried out. Every
 * state except `pending` and `approved` is final. `failed`: the request was approved, but the
 * conditions of the change were no longer met.
 */
export const ChangeState = z.enum([
  'pending',
  'approved',
  'executed',
  'failed',
  'rejected',
  'withdrawn',
  'expired',
])
export type ChangeState = z.infer<typeof ChangeState>

/**
 * One value that a change replaces. `before` is null for a new value, and `after` is null for a
 * removed value.
 */
export const ChangeLine = z.object({
  label: z.string(),
  /**
   * The type of the values. `money` is a decimal number; `image` and `document` are paths on this
   * origin.
   */
  type: z.enum(['text', 'money', 'image', 'document']),
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type ChangeLine = z.infer<typeof ChangeLine>

const summary = {
  ...identity,
  kind: ChangeKind,
  title: z.string(),
  /** The id or name of the object to change, for example the id of a payment option. */
  target: z.string(),
  state: ChangeState,
  createdAt: Instant,
  expiresAt: Instant,
}

/** The short form of a change request. The call that created the request returns this form. */
export const ChangeSummary = z.object(summary)
export type ChangeSummary = z.infer<typeof ChangeSummary>

export const ChangeRequest = z.object({
  ...summary,
  reason: z.string(),
  createdBy: Person.optional(),
  decidedBy: Person.optional(),
  decidedAt: Instant.nullable(),
  /** The reason why the request failed or was rejected. */
  failure: z.string().nullable(),
  /** SHA-256 of the content of the request. An approval must contain this hash. */
  payloadSha256: z.string(),
  canDecide: z.boolean(),
  canWithdraw: z.boolean(),
  /** The reason why the caller cannot approve an open request. */
  blockedBecause: z.string().nullable(),
})
export type ChangeRequest = z.infer<typeof ChangeRequest>

export const ChangeDetail = ChangeRequest.extend({
  lines: z.array(ChangeLine),
  approvals: z.array(z.object({ approver: Person.optional(), approvedAt: Instant })),
  /** True if the current values differ from the values that the proposer saw. */
  isOutdated: z.boolean(),
})
export type ChangeDetail = z.infer<typeof ChangeDetail>

/** The filter `open` selects the requests with the state `pending` or `approved`. */
const filter = {
  state: z.union([ChangeState, z.literal('open')]).optional(),
  kind: ChangeKind.optional(),
  target: z.string().max(254).regex(SINGLE_LINE, 'cannot be searched for').optional(),
}

/** Lists the change requests, newest first. */
export const listChangeRequests = declareEndpoint({
  method: 'GET',
  path: '/admin/approvals',
  permission: 'approvals.read',
  request: z.strictObject({
    query: z.strictObject({
      ...filter,
      limit: createWholeNumberField('limit', { min: 1, max: 1_000 }).default(50),
      /** Cursor pagination: the page contains only requests older than the request with this id. */
      after: Id.optional(),
    }),
  }),
  response: z.object({
    changeRequests: z.array(ChangeRequest),
    meta: z.object({ next: Id.nullable() }),
  }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/** Counts the open requests, and the open requests that the caller may decide. */
export const countChangeRequests = declareEndpoint({
  method: 'GET',
  path: '/admin/approvals/count',
  permission: 'approvals.read',
  response: z.object({ open: z.int(), forMe: z.int() }),
  failures: [...LEDGER_QUERY_FAILURES],
})

/**
 * Returns `single` if one administrator can weaken a control or move a large amount alone. Every
 * administrator may read this mode.
 */
export const getDualControl = declareEndpoint({
  method: 'GET',
  path: '/admin/dualControl',
  permission: 'overview.read',
  response: z.object({ mode: z.enum(['single', 'required']) }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const exportChangeRequests = declareCsvEndpoint({
  path: '/admin/approvals.csv',
  permission: 'approvals.read',
  request: z.strictObject({ query: z.strictObject(filter) }),
  failures: [...LEDGER_QUERY_FAILURES],
})

export const getChangeRequest = declareEndpoint({
  method: 'GET',
  path: '/admin/approvals/:id',
  permission: 'approvals.read',
  request: byId,
  response: z.object({ changeRequest: ChangeDetail }),
  failures: [declareNotFound('change request'), ...LEDGER_QUERY_FAILURES],
})

/**
 * Returns an uploaded file, such as a QR code or a bank statement. `side` selects the file that the
 * change replaces (`before`) or the new file (`after`).
 */
export const getChangeFile = declareEndpoint({
  method: 'GET',
  path: '/admin/approvals/:id/file',
  permission: 'approvals.read',
  request: z.strictObject({
    params: idParams,
    query: z.strictObject({ side: z.enum(['before', 'after']).default('after') }),
  }),
  answers: 'file',
  fileTypes: DOCUMENT_TYPES,
  response: z.null(),
  failures: [declareNotFound('change request'), declareNotFound('file'), FILE_CHANGED],
})

export const changeRefusals = {
  notPending: declareFailure(409, 'CHANGE_DECIDED', 'This change request is already {state}'),
  expired: declareFailure(
    409,
    'CHANGE_EXPIRED',
    'This change request has expired. Propose it again.',
  ),
  own: declareFailure(
    409,
    'SECOND_APPROVER_NEEDED',
    'Another administrator must decide on your change',
  ),
  beneficiary: declareFailure(
    409,
    'BENEFICIARY',
    'This change is about you or a person you referred: another administrator must decide on it',
  ),
  inactive: declareFailure(403, 'NOT_AN_APPROVER', 'You may not approve changes'),
  tooNew: declareFailure(
    409,
    'APPROVER_TOO_NEW',
    'Your right to approve began at {time}. Wait 24 hours before you approve a change.',
  ),
  makerTooNew: declareFailure(
    409,
    'APPROVER_TOO_NEW',
    'The proposing administrator became an approver less than 24 hours ago: wait until a day has passed',
  ),
  otherBytes: declareFailure(
    409,
    'CHANGE_DIFFERS',
    'The content of this change request has changed since you opened it. Load it again.',
  ),
  notOwn: declareFailure(
    409,
    'NOT_YOUR_CHANGE',
    'Only the administrator who proposed this change can withdraw it',
  ),
} as const

const one = z.object({ changeRequest: ChangeDetail })

/**
 * Approves the content with this hash and carries it out. Answers 409 `CHANGE_FAILED` if the
 * conditions of the change are no longer met. The request then has the final state `failed`.
 */
export const approveChangeRequest = declareEndpoint({
  method: 'POST',
  path: '/admin/approvals/:id/approve',
  permission: 'approvals.read',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject({
      payloadSha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 hash'),
    }),
  }),
  response: one,
  failures: [
    declareNotFound('change request'),
    changeRefusals.notPending,
    changeRefusals.expired,
    changeRefusals.own,
    changeRefusals.beneficiary,
    changeRefusals.inactive,
    changeRefusals.tooNew,
    changeRefusals.makerTooNew,
    changeRefusals.otherBytes,
    declareFailure(409, 'CHANGE_FAILED', '{reason}'),
    ...LEDGER_COMMAND_FAILURES,
  ],
})

export const rejectChangeRequest = declareEndpoint({
  method: 'POST',
  path: '/admin/approvals/:id/reject',
  permission: 'approvals.read',
  request: z.strictObject({
    params: idParams,
    body: z.strictObject({ reason: createRequiredTextField('Reason', 500) }),
  }),
  response: one,
  failures: [
    declareNotFound('change request'),
    changeRefusals.notPending,
    changeRefusals.expired,
    changeRefusals.own,
    changeRefusals.beneficiary,
    changeRefusals.inactive,
    ...LEDGER_QUERY_FAILURES,
  ],
})

export const withdrawChangeRequest = declareEndpoint({
  method: 'POST',
  path: '/admin/approvals/:id/withdraw',
  permission: 'approvals.read',
  request: byId,
  response: one,
  failures: [
    declareNotFound('change request'),
    changeRefusals.notPending,
    changeRefusals.expired,
    changeRefusals.notOwn,
    ...LEDGER_QUERY_FAILURES,
  ],
})
