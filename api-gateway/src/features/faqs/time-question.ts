import type { Faq, ReviewTime } from '@cairn/gateway-contracts'
import { formatCounted } from '@cairn/gateway-contracts/counted'
import { describeReviewTime } from '@cairn/gateway-contracts/review-wait'
import { DECISIONS_MIN } from '../claims/index.ts'
import { type AnswerPlace, createAnsweredQuestion } from './answered-question.ts'

/** No stored question has this id: ids of migrations end with a digit, others begin with a time. */
const ID = '0000000000000000000z'

/** The measured times of the last 30 days. */
export interface DecisionTimes {
  deposit: ReviewTime
  withdrawal: ReviewTime
}

/**
 * Answers the question about the time of deposits and withdrawals with the measured times. The
 * answer is not stored, so it cannot differ from the ledger.
 */
export function answerTimes({ deposit, withdrawal }: DecisionTimes, place: AnswerPlace): Faq {
  const review =
    'Administrators review each request. They pay a withdrawal before they approve it; after that, your bank may need more time.'
  const isMeasured = [deposit, withdrawal].some(({ count }) => count >= DECISIONS_MIN)
  const measured = isMeasured
    ? [describe('deposit', deposit), describe('withdrawal', withdrawal)].join(' ')
    : `Too few deposits and withdrawals were decided in the last 30 days to state a usual time: fewer than ${DECISIONS_MIN} of each.`
  const limit = isMeasured ? ' These times are measured, not promised.' : ''
  const question = 'How long does a deposit or a withdrawal take?'
  const answer = `${review} ${measured}${limit}`
  return createAnsweredQuestion({ id: ID, question, answer }, place)
}

function describe(kind: string, measured: ReviewTime): string {
  if (measured.count < DECISIONS_MIN) {
    return `Fewer than ${DECISIONS_MIN} ${kind}s requested in the last 30 days were decided, too few to state a usual time.`
  }
  const requests = formatCounted(measured.count, kind)
  return `Of ${requests} requested in the last 30 days and decided, ${describeReviewTime(measured)}.`
}
