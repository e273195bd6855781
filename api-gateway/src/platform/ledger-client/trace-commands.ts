import type { LedgerClient } from '@cairn/ledger-contracts'
import type { Logger } from 'pino'

/**
 * Logs the request id of each recorded event. An event does not contain it, and effects of an
 * event, such as mail, are logged by its seq.
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
