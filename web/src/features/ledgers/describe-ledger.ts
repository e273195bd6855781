import { formatCounted } from '@cairn/gateway-contracts/counted'
import type { Rules, SiteLedger } from './queries.ts'

const SECONDS_PER_MINUTE = 60
const SECONDS_PER_HOUR = 3_600

/** Says whether the ledger answers, and otherwise for how long it has not. */
export function describeAnswer(
  { size, answeredAt }: Pick<SiteLedger, 'size' | 'answeredAt'>,
  nowMs: number,
): string {
  if (size !== null) return 'Reachable'
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

/** Says up to which event of the first ledger plans and rules are copied. */
export function describeCopied({ through, size }: Pick<Rules, 'through' | 'size'>): string {
  const read = through.toLocaleString('en-US')
  return size === null ? `${read} events read` : `${read} of ${formatCounted(size, 'event')} read`
}
