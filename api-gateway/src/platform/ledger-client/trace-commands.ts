import type { LedgerClient } from '@cairn/ledger-contracts'
import type { Logger } from 'pino'

/**
 * Returns a ledger client that logs the request id with the number of each recorded event. Later
 * log lines about the event have only its number.
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
