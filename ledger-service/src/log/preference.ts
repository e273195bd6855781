import { createHash } from 'node:crypto'

/**
 * Chooses an instance for a ledger by rendezvous hashing: the ledgers spread evenly over the
 * instances, and if an instance comes or goes, only the ledgers of this instance change. All
 * instances choose the same one. Returns null if there is no instance.
 */
export function choosePreferred(ledger: number, addresses: readonly string[]): string | null {
  let preferred: { address: string; weight: string } | null = null
  for (const address of addresses) {
    const weight = createHash('sha256').update(`${ledger} ${address}`).digest('hex')
    if (preferred === null || weight > preferred.weight) preferred = { address, weight }
  }
  return preferred?.address ?? null
}
