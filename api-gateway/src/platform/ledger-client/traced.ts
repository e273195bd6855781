import type { LedgerClient } from '@cairn/ledger-contracts'
import type { Logger } from 'pino'

/**
 * Says in the log which request an event was recorded for. An event has no room for it, and what
 * follows from one, mail among it, is logged by the event's seq.
 */
export function traceCommands(ledger: LedgerClient, log: Logger): LedgerClient {
  return {
    ...ledger,
    submit: async (command) => {
      const answer = await ledger.submit(command)
      if (answer.outcome === 'recorded') {
        const { seq, type } = answer.event
        log.info({ requestId: command.requestId, seq: String(seq), type }, 'recorded')
      }
      return answer
    },
  }
}
