import { type DeclaredFailure, failure } from './failures.ts'
import { optionalText } from './fields.ts'

/** The reason for the second administrator. Without one, the request has the name of the act. */
export const changeReason = { reason: optionalText('Reason', 500).optional() }

/** The failures of every endpoint whose act may need two people. Nothing was changed. */
export const CHANGE_FAILURES: readonly DeclaredFailure[] = [
  failure(
    409,
    'CHANGE_REQUESTED',
    'Sent for approval: another administrator must approve this change',
  ),
  failure(
    409,
    'CHANGE_PENDING',
    'Another change of this already waits for approval. Decide on that one or withdraw it first.',
  ),
  failure(
    409,
    'BENEFICIARY',
    'This change is about you or a person you referred: another administrator must propose it',
  ),
]

/** The failures of every endpoint that sends a command which the ledger may refuse to one person. */
export const SECOND_PERSON_FAILURES: readonly DeclaredFailure[] = [
  ...CHANGE_FAILURES,
  failure(403, 'NOT_AN_APPROVER', 'This administrator may not decide about money or controls'),
]
