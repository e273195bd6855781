import type { Command, LedgerClient } from '@cairn/ledger-contracts'
import { systemClock } from '../../src/service/clock.ts'
import type { SceneLedger } from './test-ledger.ts'

/** The ledger behind HTTP, for setting scenes in it. */
export function remoteLedger(client: LedgerClient): SceneLedger {
  return {
    clock: systemClock,
    submit: (type, data, envelope = {}) => {
      const rest = { actor: 'system:test', key: null, requestId: null, effectiveAt: null }
      // The pair is one member of the union, as the signature demands.
      return client.submit({ type, data, ...rest, ...envelope } as unknown as Command)
    },
  }
}
