import type { Faq, ReviewTime } from '@cairn/gateway-contracts'
import { DECISIONS_MIN, formatDuration } from '../claims/index.ts'

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
export function answerTimes(
  { deposit, withdrawal }: DecisionTimes,
  { position, now }: { position: number; now: Date },
): Faq {
  const review =
    'Administrators review each request. They pay a withdrawal before they approve it; after that, your bank may need more time.'
  const measured = [describe('deposits', deposit), describe('withdrawals', withdrawal)].join(' ')
  return {
    id: ID,
    _id: ID,
    question: 'How long does a deposit or a withdrawal take?',
    answer: `${review} ${measured} These times are measured, not promised.`,
    position,
    displayStatus: true,
    updatedAt: now.toISOString(),
  }
}

function describe(name: string, { count, medianMs, p90Ms }: ReviewTime): string {
  if (count < DECISIONS_MIN) {
    return `Fewer than ${DECISIONS_MIN} ${name} were decided in the last 30 days, too few to state a usual time.`
  }
  return `Of ${count} ${name} decided in the last 30 days, half were decided within ${formatDuration(medianMs)}, nine out of ten within ${formatDuration(p90Ms)}.`
}
