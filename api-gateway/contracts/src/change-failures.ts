import { type DeclaredFailure, failure } from './failures.ts'
import { optionalText } from './fields.ts'

/** The reason for the second administrator. Without one, the request has the name of the act. */
export const changeReason = { reason: optionalText('Reason', 500).optional() }

const REQUESTED = failure(
  409,
  'CHANGE_REQUESTED',
  'Sent for approval: another administrator must approve this change',
)
const PENDING = failure(
  409,
  'CHANGE_PENDING',
  'Another change of this already waits for approval. Decide on that one or withdraw it first.',
)

/** The failure of an act that creates an object, if it needs two people. Nothing was changed. */
export const CREATION_FAILURES: readonly DeclaredFailure[] = [REQUESTED]

/** The failures of an act that may need two people. Nothing was changed. */
export const CHANGE_FAILURES: readonly DeclaredFailure[] = [REQUESTED, PENDING]

/** The failure of an act that concerns a person. */
export const BENEFICIARY_FAILURE = failure(
  409,
  'BENEFICIARY',
  'This change is about you or a person you referred: another administrator must propose it',
)

/** The failure of every command that only an approver may send. */
export const APPROVER_FAILURE = failure(
  403,
  'NOT_AN_APPROVER',
  'This administrator may not decide about money or controls',
)

/** The answer to an administrator who approves their own proposal. */
export const OTHER_MUST_APPROVE = failure(
  409,
  'SECOND_APPROVER_NEEDED',
  'Another administrator has to approve this too',
)

/** The failures of an act of money that concerns no person. */
export const SECOND_PERSON_FAILURES: readonly DeclaredFailure[] = [
  ...CHANGE_FAILURES,
  APPROVER_FAILURE,
]
