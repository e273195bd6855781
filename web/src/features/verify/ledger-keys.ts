import { getLedgerOfOrigin, ProofError, readOrigin } from '@cairn/gateway-contracts/proof'
import { keyStore } from '../../shared/session/key-store.ts'
import { pinnedKeys } from './pinned-keys.ts'
import {
  compareKeys,
  type KeyStore,
  readStored,
  replaceTrustedKeys,
  trustKeys,
} from './trusted-keys.ts'

/** The keys that the site offers for a ledger. `ledger` is null for the first ledger. */
type OfferedKeys = { ledger: number | null; verifierKeys: readonly string[] }

/**
 * Returns the keys with which a proof of a ledger may be verified; see `trustKeys`. The keys of each
 * ledger are kept apart, so that a new ledger cannot replace the keys of another one.
 */
export function trustKeysOfLedger(
  offered: OfferedKeys,
  all: KeyStore = keyStore,
): readonly string[] {
  requireOwnName(offered)
  const { store, pinned } = getTrust(offered.ledger, all)
  return trustKeys(offered.verifierKeys, store, pinned)
}

/**
 * Compares the offered keys with the trusted ones; see `compareKeys`. `isReplaceable` tells whether
 * the reader may trust the offered keys instead.
 */
export function compareKeysOfLedger(offered: OfferedKeys, all: KeyStore = keyStore) {
  const { store, pinned } = getTrust(offered.ledger, all)
  const problem = findNameProblem(offered)
  if (problem === null) {
    const isReplaceable = pinned.length === 0
    return { ...compareKeys(offered.verifierKeys, store, pinned), isReplaceable }
  }
  // A comparison with the offered keys would store them in a browser that has kept none.
  return { ...compareKeys([], store, pinned), problem, isReplaceable: false }
}

/** Trusts the offered keys of a ledger instead of the kept ones; see `replaceTrustedKeys`. */
export function replaceKeysOfLedger(offered: OfferedKeys, all: KeyStore = keyStore): void {
  requireOwnName(offered)
  const { store, pinned } = getTrust(offered.ledger, all)
  replaceTrustedKeys(offered.verifierKeys, store, pinned)
}

function requireOwnName(offered: OfferedKeys): void {
  const problem = findNameProblem(offered)
  if (problem !== null) throw new ProofError(problem)
}

/**
 * Returns why the offered keys cannot be those of the ledger: their log is named after another one.
 * Otherwise the site could offer keys that it has made up as those of another ledger.
 */
function findNameProblem({ ledger, verifierKeys: [first] }: OfferedKeys): string | null {
  if (ledger === null || first === undefined) return null
  const [name = ''] = first.split('+')
  if (getLedgerOfOrigin(name) === ledger) return null
  return `the site offers the key of ${name} as the key of ledger ${ledger}. Tell the operator of this site`
}

/** Returns the store of the keys of a ledger, and the keys of it that are built into the pages. */
function getTrust(ledger: number | null, all: KeyStore) {
  return ledger === null
    ? { store: all, pinned: pinnedKeys }
    : { store: createLedgerStore(ledger, all), pinned: [] }
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
function createLedgerStore(ledger: number, all: KeyStore): KeyStore {
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
