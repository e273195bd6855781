import type { LedgerClient } from '@cairn/ledger-contracts'
import type { Logger } from 'pino'

/**
 * Returns a ledger client that logs, for each recorded event, the request id and the event number.
 * All further log lines about the event have only the event number.
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
