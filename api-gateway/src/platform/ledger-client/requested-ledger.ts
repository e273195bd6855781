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
  const numbers = await ledgers.list()
  if (numbers.includes(requested)) return ledgers.getClient(requested)
  throw createInvalidFieldFailure('ledger', `This site has no ledger ${requested}`)
}

/** The number of a ledger and its client. */
export interface ListedLedger {
  ledger: number
  client: LedgerClient
}

/** Returns a client of each ledger of the site, the first one first. */
export async function listLedgerClients({
  ledgers,
}: Pick<Dependencies, 'ledgers'>): Promise<readonly ListedLedger[]> {
  const numbers = await ledgers.list()
  return numbers.map((ledger) => ({ ledger, client: ledgers.getClient(ledger) }))
}
