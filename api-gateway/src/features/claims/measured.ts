import { formatCounted } from '@cairn/gateway-contracts/counted'
import { describeWait } from '@cairn/gateway-contracts/review-wait'
import { DECISIONS_MIN } from './decisions.ts'
import type { ClaimFacts } from './facts.ts'
import { toEvidence, type Verdict } from './verdict.ts'

const MINUTE_MS = 60_000
/**
 * The limit in milliseconds of the claim "Instant transactions": nine out of ten requests must be
 * decided within this duration.
 */
const INSTANT_MS = MINUTE_MS
/** Minimum number of deliveries. A measurement of fewer deliveries is not representative. */
const DELIVERIES_MIN = 20
/**
 * The limit in milliseconds of the claim "Real-time tracking": nine out of ten events must reach
 * open pages within this duration.
 */
const REAL_TIME_MS = 2_000

export function evaluateSpeed({ decisions }: ClaimFacts): Verdict {
  const { count, medianMs, p90Ms } = decisions
  const reasons = [
    ...(count >= DECISIONS_MIN
      ? []
      : [`Only ${formatCounted(count, 'request was', 'requests were')} decided in 30 days`]),
    ...(p90Ms <= INSTANT_MS ? [] : ['One out of ten waits longer than a minute']),
  ]
  const measured =
    count === 0
      ? []
      : [
          toEvidence('Half are decided within', describeWait(medianMs)),
          toEvidence('Nine out of ten within', describeWait(p90Ms)),
          toEvidence('Measured over', `${formatCounted(count, 'request')} of the last 30 days`),
        ]
  return {
    state: reasons.length === 0 ? 'proved' : 'withheld',
    text: reasons.length === 0 ? 'Instant transactions' : 'Requests are reviewed by people',
    evidence: measured,
    reasons,
  }
}

export function evaluateTracking({ deliveries }: ClaimFacts): Verdict {
  const { count, p90Ms } = deliveries
  const isMeasured = count >= DELIVERIES_MIN
  const reasons = [
    ...(isMeasured
      ? []
      : [`Only ${formatCounted(count, 'event was', 'events were')} delivered to open pages`]),
    ...(p90Ms <= REAL_TIME_MS ? [] : ['One out of ten takes longer than two seconds']),
  ]
  const isProved = reasons.length === 0
  const gap = isMeasured
    ? 'one change out of ten takes longer than two seconds'
    : 'this is not yet measured often enough to claim'
  return {
    state: isProved ? 'proved' : 'withheld',
    text: isProved ? 'Real-time tracking' : `Open pages show changes by themselves, but ${gap}`,
    evidence: [
      toEvidence('How', 'Balances update without reloading'),
      ...(count === 0
        ? []
        : [
            toEvidence(
              'Nine out of ten within',
              `${p90Ms} ms, of ${formatCounted(count, 'event')}`,
            ),
          ]),
    ],
    reasons,
  }
}
