import type { Command, LedgerClient } from '@cairn/ledger-contracts'
import { systemClock } from '@cairn/service-kit/clock'
import type { SceneLedger } from './test-ledger.ts'

/**
 * Returns a client for a ledger behind HTTP. Tests create their initial data through this client.
 */
export function createRemoteLedger(client: LedgerClient): SceneLedger {
  return {
    clock: systemClock,
    submit: (type, data, envelope = {}) => {
      const rest = { actor: 'system:test', key: null, requestId: null, effectiveAt: null }
      // The cast is safe, because the parameters require data of this type.
      return client.submit({ type, data, ...rest, ...envelope } as unknown as Command)
    },
  }
}
