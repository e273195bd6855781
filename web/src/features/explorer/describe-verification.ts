import type { Verification } from '@cairn/gateway-contracts'
import { formatCount, formatCounted } from '@cairn/gateway-contracts/counted'

type Run = Pick<Verification, 'state' | 'since' | 'done' | 'of'>

/** Says in one sentence what a verification has found so far. */
export function describeVerification({ state, since, done, of }: Run): string {
  switch (state) {
    case 'running':
      // The number of events is known only after the run has read the head of the log.
      return of === '0'
        ? 'The verification has started.'
        : `${formatCount(done)} of ${formatCounted(BigInt(of), 'event')} checked so far.`
    case 'agrees':
      return `The ledger agrees with its events: ${describeEvents(since, done)}.`
    case 'differs':
      return `The ledger differs from its events: ${describeEvents(since, done)}.`
    case 'cut-off':
      return 'The verification was interrupted before it had a result.'
  }
}

function describeEvents(since: string, done: string): string {
  if (since !== '0') {
    const counted = formatCounted(BigInt(done), 'event')
    return `${counted} after the last verified state ${done === '1' ? 'was' : 'were'} checked`
  }
  return done === '1'
    ? 'its only event was checked'
    : `all ${formatCount(done)} events were checked`
}
