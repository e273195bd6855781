import { LedgerUnreachable } from '@cairn/ledger-contracts'

const TRIES_MAX = 10

/**
 * Repeats a read until the ledger answers it. On a busy machine, a query can exceed its time limit.
 * These tests do not test that limit.
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
