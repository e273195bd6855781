import { type LedgerClient, LedgerUnreachable } from '@cairn/ledger-contracts'

const TRIES_MAX = 20

/**
 * Returns the problems that the service finds in its ledger. Repeats the check if it takes longer
 * than the timeout of the client, which happens on a busy machine. The tests do not measure this time.
 */
export async function findProblems(client: LedgerClient): Promise<readonly string[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return (await client.ask('check', {})).problems
    } catch (error) {
      if (!(error instanceof LedgerUnreachable) || tries === TRIES_MAX) throw error
    }
  }
}
