import { formatCounted } from '@cairn/gateway-contracts/counted'
import {
  isConsistent,
  openCheckpoint,
  openKeys,
  ProofError,
  toHex,
} from '@cairn/gateway-contracts/proof'

export type SignedHead = { size: string; root: string; note: string }

type ConsistencyVerdict = { isConsistent: true } | { isConsistent: false; reason: string }

/**
 * Checks the signatures of both checkpoints, and that the log of the later checkpoint starts with
 * the whole log of the earlier checkpoint.
 */
export async function verifyConsistency(claim: {
  earlier: SignedHead
  later: SignedHead
  path: readonly string[]
  verifierKeys: readonly string[]
  /**
   * Returns the keys that this browser trusts. Throws a ProofError if the server offers keys that
   * this browser does not trust.
   */
  trust: (offered: readonly string[]) => readonly string[]
}): Promise<ConsistencyVerdict> {
  const { earlier, later, path, verifierKeys, trust } = claim
  try {
    const keys = openKeys(trust(verifierKeys))
    const [first, second] = await Promise.all([
      openCheckpoint(earlier.note, keys),
      openCheckpoint(later.note, keys),
    ])
    if (String(first.size) !== earlier.size || String(second.size) !== later.size) {
      throw new ProofError('a size on this page differs from the signed size')
    }
    if (toHex(first.root) !== earlier.root || toHex(second.root) !== later.root) {
      throw new ProofError('a root on this page differs from the signed root')
    }
    const hashes = path.map(decodeHex)
    const isHeld = isConsistent({
      oldSize: first.size,
      oldRoot: first.root,
      size: second.size,
      root: second.root,
      path: hashes,
    })
    if (isHeld) return { isConsistent: true }
    throw new ProofError(
      `the ledger of ${formatCounted(second.size, 'event')} does not begin with the ledger of ${formatCounted(first.size, 'event')}`,
    )
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return { isConsistent: false, reason: error.message }
  }
}

function decodeHex(text: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw new ProofError('the path is malformed')
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
