import { z } from 'zod'
import { type DeclaredFailure, declareFailure } from './failures.ts'
import { createOptionalTextField } from './fields.ts'

/**
 * The proposer's reason for the change. The second administrator sees the reason. The default is
 * the change's title.
 */
export const changeReason = { reason: createOptionalTextField('Reason', 500).optional() }

/**
 * The optional body of a call without other content. Unknown properties are ignored, because
 * earlier versions of these calls accepted every body.
 */
export const changeReasonBody = z.object(changeReason)

const REQUESTED = declareFailure(
  409,
  'CHANGE_REQUESTED',
  'Sent for approval: another administrator must approve this change',
)
const PENDING = declareFailure(
  409,
  'CHANGE_PENDING',
  'Another change to this object is already waiting for approval. Decide on it or withdraw it first.',
)

/**
 * The failure of a call that creates an object, if a second administrator must approve the new
 * object.
 */
export const CREATION_FAILURES: readonly DeclaredFailure[] = [REQUESTED]

/** The failures of a call that can require the approval of a second administrator. */
export const CHANGE_FAILURES: readonly DeclaredFailure[] = [REQUESTED, PENDING]

/** The failure for a change that benefits its proposer or a person whom the proposer referred. */
export const BENEFICIARY_FAILURE = declareFailure(
  409,
  'BENEFICIARY',
  'This change is about you or a person you referred: another administrator must propose it',
)

/** The failure of a command by an administrator who is not an approver in the ledger. */
export const APPROVER_FAILURE = declareFailure(
  403,
  'NOT_AN_APPROVER',
  'This administrator may not decide about money or controls',
)

/** The answer to an administrator who approves their own proposal. */
export const OTHER_MUST_APPROVE = declareFailure(
  409,
  'SECOND_APPROVER_NEEDED',
  'Another administrator must also approve this change',
)

/**
 * The failures of a call that only an approver can send and that can require a second
 * administrator. A change that benefits a person has `BENEFICIARY_FAILURE` in addition.
 */
export const SECOND_PERSON_FAILURES: readonly DeclaredFailure[] = [
  ...CHANGE_FAILURES,
  APPROVER_FAILURE,
]
