import { LedgerUnreachable } from '@cairn/ledger-contracts'

const TRIES_MAX = 10

/**
 * Repeats a read of the ledger until the ledger answers it. On a busy machine, a query can take
 * longer than the timeout of the client. Tests that use this function do not test that timeout.
 */
export async function readUntilAnswered<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await read()
    } catch (error) {
      if (!(error instanceof LedgerUnreachable) || tries === TRIES_MAX) throw error
    }
  }
}
