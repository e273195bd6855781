import { getLedgerOfOrigin, ProofError, readOrigin } from '@cairn/gateway-contracts/proof'
import { keyStore } from '../../shared/session/key-store.ts'
import { type KeyStore, readStored, trustKeys } from './trusted-keys.ts'

/**
 * Returns the keys with which a proof of a ledger may be verified; see `trustKeys`. The keys of each
 * ledger are kept apart, so that a new ledger cannot replace the keys of another one. The pages have
 * built-in keys of the first ledger only. `ledger` is null for the first ledger.
 */
export function trustKeysOfLedger(
  { ledger, verifierKeys }: { ledger: number | null; verifierKeys: readonly string[] },
  all: KeyStore = keyStore,
): readonly string[] {
  if (ledger === null) return trustKeys(verifierKeys, all)
  const [name = ''] = (verifierKeys[0] ?? '').split('+')
  // Otherwise the site could offer keys that it has made up as those of another ledger.
  if (verifierKeys.length > 0 && getLedgerOfOrigin(name) !== ledger) {
    throw new ProofError(`the site offers the key of ${name} as the key of ledger ${ledger}`)
  }
  return trustKeys(verifierKeys, createLedgerStore(ledger, all), [])
}

/**
 * Returns the number of the ledger that the receipt names, if it is a further ledger of the site.
 * `ledgers` are the ledgers of the site, the first one first.
 */
export function findFurtherLedger(file: string, ledgers: readonly number[]): number | null {
  const [, ...further] = ledgers
  try {
    const ledger = getLedgerOfOrigin(readOrigin(file.replaceAll('\r\n', '\n')))
    return ledger !== null && further.includes(ledger) ? ledger : null
  } catch (error) {
    if (error instanceof ProofError) return null
    throw error
  }
}

/**
 * Returns the store of the keys of a further ledger. It is a part of the store of the first ledger,
 * so that a logout keeps both.
 */
export function createLedgerStore(ledger: number, all: KeyStore = keyStore): KeyStore {
  const readOthers = () => {
    const { others } = readStored(all)
    return new Map<string, unknown>(Object.entries(others ?? {}))
  }
  return {
    read: () => {
      const text = readOthers().get(String(ledger))
      return typeof text === 'string' ? text : null
    },
    write: (text) => {
      const others = Object.fromEntries(readOthers().set(String(ledger), text))
      all.write(JSON.stringify({ ...readStored(all), others }))
    },
  }
}
