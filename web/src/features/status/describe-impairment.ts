import type { getStatus, PartState, ResponseOf } from '@cairn/gateway-contracts'
import { PART_NAMES } from './part-names.ts'

type Part = ResponseOf<typeof getStatus>['parts'][number]

/** The words that follow the name of the part. */
const STATE_WORDS: Record<Exclude<PartState, 'working'>, string> = {
  delayed: ' is delayed',
  away: ' is not working',
  unknown: ': state unknown',
}

/** Says what is wrong, such as `Email is not working`; null if all parts are working. */
export function describeImpairment(parts: readonly Part[]): string | null {
  const impaired = parts.flatMap(({ part, state }) =>
    state === 'working' ? [] : [`${PART_NAMES[part]}${STATE_WORDS[state]}`],
  )
  const [first = null] = impaired
  return impaired.length > 1 ? `${impaired.length} systems need attention` : first
}
