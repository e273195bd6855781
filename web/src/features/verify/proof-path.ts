import { hashLeaf, hashNode, parseReceipt, toHex } from '@cairn/gateway-contracts/proof'

/**
 * One step of the inclusion proof. `result` is the hash of two values: the sibling, and the result
 * of the step below.
 */
export type PathStep = { side: 'left' | 'right'; sibling: string; result: string }

/** Computes the hashes from the event of a receipt to the root, as in RFC 9162 section 2.1.3.2. */
export function computeProofPath(
  receipt: string,
  size: bigint,
): { leaf: string; steps: PathStep[] } {
  const { event, index, path } = parseReceipt(receipt)
  let hash = hashLeaf(event)
  const leaf = toHex(hash)
  const steps: PathStep[] = []
  let at = index
  let last = size - 1n
  for (const sibling of path) {
    const isLeft = (at & 1n) === 1n || at === last
    hash = isLeft ? hashNode(sibling, hash) : hashNode(hash, sibling)
    steps.push({ side: isLeft ? 'left' : 'right', sibling: toHex(sibling), result: toHex(hash) })
    while (isLeft && (at & 1n) === 0n && at !== 0n) {
      at >>= 1n
      last >>= 1n
    }
    at >>= 1n
    last >>= 1n
  }
  return { leaf, steps }
}

/**
 * Returns the number of hashes in the proof of a receipt. Returns 0 if the receipt cannot be read.
 */
export function countProofHashes(receipt: string): number {
  try {
    return parseReceipt(receipt).path.length
  } catch {
    return 0
  }
}
