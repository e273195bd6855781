import { formatCounted } from '@cairn/gateway-contracts/counted'
import type { SiteLedger } from './queries.ts'

const SECONDS_PER_MINUTE = 60
const SECONDS_PER_HOUR = 3_600

/** Says whether the ledger answers, and otherwise for how long it has not. */
export function describeAnswer(
  { size, answeredAt }: Pick<SiteLedger, 'size' | 'answeredAt'>,
  nowMs: number,
): string {
  if (size !== null) return 'Answers'
  if (answeredAt === null) return 'Has not answered yet'
  const seconds = Math.max(1, Math.round((nowMs - Date.parse(answeredAt)) / 1_000))
  return `Has not answered for ${describeSeconds(seconds)}`
}

function describeSeconds(seconds: number): string {
  if (seconds < SECONDS_PER_MINUTE) return formatCounted(seconds, 'second')
  if (seconds < SECONDS_PER_HOUR) {
    return formatCounted(Math.floor(seconds / SECONDS_PER_MINUTE), 'minute')
  }
  return formatCounted(Math.floor(seconds / SECONDS_PER_HOUR), 'hour')
}

/** Says how far the plans and rules of the first ledger are copied. */
export function describeCopy({ rules }: Pick<SiteLedger, 'rules'>): string {
  if (rules === null) return 'Source of the others'
  const { through, size, isComplete, problem } = rules
  if (problem !== null) return 'Stopped'
  if (isComplete) return 'Complete'
  return size === null ? `${through} events` : `${through} of ${size} events`
}
