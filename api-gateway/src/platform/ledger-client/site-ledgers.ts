import type { LedgerClient } from '@cairn/ledger-contracts'
import type { LedgerHomes } from './ledger-homes.ts'
import { nameLedger, numberEvents } from './numbered-client.ts'

/** The ledgers of a site, for a caller that asks one of them. */
export interface SiteLedgers {
  readonly homes: LedgerHomes
  /** The number of the first ledger. */
  readonly first: number
  /** Lists the numbers of all ledgers. The first ledger comes first. */
  list(): Promise<readonly number[]>
  /** Returns the number of the ledger to which the person belongs. */
  findHome(investorId: string): Promise<number>
  /** Returns a client of this ledger. Events have their numbers in the site. */
  getClient(ledger: number): LedgerClient
  /** Returns a client of this ledger. Events have their numbers in the ledger. */
  getOwnClient(ledger: number): LedgerClient
}

export function createSiteLedgers(options: {
  first: number
  homes: LedgerHomes
  /** Connects to a ledger. */
  connect: (ledger: number) => LedgerClient
  /** Returns a client that also logs its commands. By default, they are not logged. */
  trace?: (client: LedgerClient) => LedgerClient
}): SiteLedgers {
  const { first, homes, trace = (client) => client } = options
  const own = new Map<number, LedgerClient>()
  const numbered = new Map<number, LedgerClient>()

  function getOwnClient(ledger: number): LedgerClient {
    const known = own.get(ledger)
    if (known !== undefined) return known
    const connected = options.connect(ledger)
    const client = ledger === first ? connected : nameLedger(connected, ledger)
    own.set(ledger, client)
    return client
  }

  function getClient(ledger: number): LedgerClient {
    const known = numbered.get(ledger)
    if (known !== undefined) return known
    const client = getOwnClient(ledger)
    const traced = trace(ledger === first ? client : numberEvents(client, ledger))
    numbered.set(ledger, traced)
    return traced
  }

  return {
    homes,
    first,
    getClient,
    getOwnClient,
    list: async () => [first, ...(await homes.listFurther())],
    findHome: async (investorId) =>
      (await homes.findFurther([investorId])).get(investorId) ?? first,
  }
}
