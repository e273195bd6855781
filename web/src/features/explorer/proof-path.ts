import {
  hashLeaf,
  hashNode,
  ProofError,
  parseReceipt,
  parseVerifierKey,
  toHex,
  verifyReceipt,
} from '@cairn/gateway-contracts/proof'

/**
 * One step of the inclusion proof. `result` is the hash of the sibling together with the step
 * below.
 */
export type PathStep = { side: 'left' | 'right'; sibling: string; result: string }

export type Verdict =
  | { isProved: true; size: bigint; root: string; origin: string }
  | { isProved: false; reason: string }

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
 * Checks that a receipt proves the event shown on the page. A valid receipt can belong to another
 * event, so the shown bytes are compared with the bytes in the receipt.
 */
export async function verifyEventProof(proof: {
  seq: string
  bytes: string
  receipt: string
  verifierKeys: readonly string[]
}): Promise<Verdict> {
  const { seq, bytes, receipt, verifierKeys } = proof
  try {
    const keys = verifierKeys.map(parseVerifierKey)
    const { checkpoint, index } = await verifyReceipt(receipt, keys)
    if (String(index) !== seq) {
      throw new ProofError(`the receipt is for event ${index}, not for event ${seq}`)
    }
    if (new TextDecoder().decode(parseReceipt(receipt).event) !== bytes) {
      throw new ProofError(`what is shown of event ${seq} is not what its receipt proves`)
    }
    const { size, root, origin } = checkpoint
    return { isProved: true, size, root: toHex(root), origin }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return { isProved: false, reason: error.message }
  }
}
