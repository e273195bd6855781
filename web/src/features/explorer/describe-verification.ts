import type { Verification } from '@cairn/gateway-contracts'
import { formatCount, formatCounted } from '@cairn/gateway-contracts/counted'

type Run = Pick<Verification, 'state' | 'since' | 'done' | 'of'>

/**
 * Says in one sentence what a verification has found so far. `signed` is the number of events of the
 * newest known checkpoint, or null. The ledger can have more events, so no sentence says that a
 * verification checked all events of today.
 */
export function describeVerification(
  { state, since, done, of }: Run,
  signed: string | null,
): string {
  switch (state) {
    case 'running':
      // The number of events is known only after the run has read the head of the log.
      return of === '0'
        ? 'The verification has started.'
        : `${formatCount(done)} of ${formatCounted(BigInt(of), 'event')} checked so far.`
    case 'agrees':
      return `The ledger agrees with its events: ${describeEvents({ since, done, signed })}.`
    case 'differs':
      // Signed events that are missing are no newer events, so they are not counted as such.
      return `The ledger differs from its events: ${describeEvents({ since, done, signed: null })}.`
    case 'cut-off':
      return 'The verification was interrupted before it had a result.'
  }
}

type Checked = { since: string; done: string; signed: string | null }

function describeEvents({ since, done, signed }: Checked): string {
  if (since !== '0') {
    const counted = formatCounted(BigInt(done), 'event')
    return `${counted} after the last verified state ${done === '1' ? 'was' : 'were'} checked`
  }
  const newer = signed === null ? 0n : BigInt(signed) - BigInt(done)
  if (signed !== null && newer > 0n) {
    const words = newer === 1n ? '1 is newer' : `${formatCount(newer)} are newer`
    return `${formatCount(done)} of the ${formatCount(signed)} signed events were checked; ${words}`
  }
  return done === '1'
    ? 'the only event until then was checked'
    : `all ${formatCount(done)} events until then were checked`
}
