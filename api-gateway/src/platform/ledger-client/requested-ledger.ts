import type { LedgerClient } from '@cairn/ledger-contracts'
import type { Dependencies } from '../dependencies.ts'
import { createInvalidFieldFailure } from '../http/failure.ts'

/**
 * Returns the client of the requested ledger. Without a request, returns the client of the site,
 * which chooses the ledger by the person that a query names. Throws 400 for a ledger that the site
 * does not have.
 */
export async function getRequestedLedger(
  { ledger, ledgers }: Pick<Dependencies, 'ledger' | 'ledgers'>,
  requested: number | undefined,
): Promise<LedgerClient> {
  if (requested === undefined) return ledger
  requireKnown(await ledgers.list(), requested)
  return ledgers.getClient(requested)
}

/**
 * Returns a client of the requested ledger. Without a request, returns one of each ledger of the
 * site, the first one first.
 */
export async function listLedgerClients(
  { ledgers }: Pick<Dependencies, 'ledgers'>,
  requested?: number | undefined,
): Promise<readonly { ledger: number; client: LedgerClient }[]> {
  const numbers = await ledgers.list()
  if (requested !== undefined) requireKnown(numbers, requested)
  const listed = requested === undefined ? numbers : [requested]
  return listed.map((ledger) => ({ ledger, client: ledgers.getClient(ledger) }))
}

function requireKnown(numbers: readonly number[], requested: number): void {
  if (numbers.includes(requested)) return
  throw createInvalidFieldFailure('ledger', `This site has no ledger ${requested}`)
}
