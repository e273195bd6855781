import { type Frontier, nodeHash } from '../log/merkle.ts'

/** Returns the hash of the perfect subtree `idx` of `2^level` leaves. The subtree must be complete. */
export type NodeHash = (level: number, idx: bigint) => Promise<Buffer>

/** RFC 6962 section 2.1: the hash of the leaves from `low` up to, not including, `high`. */
export async function hashOfRange(hashOf: NodeHash, low: bigint, high: bigint): Promise<Buffer> {
  const count = high - low
  const k = splitOf(count)
  if (count === k * 2n || count === 1n) {
    const level = getBitLength(count) - 1
    return hashOf(level, low >> BigInt(level))
  }
  const [left, right] = await Promise.all([
    hashOfRange(hashOf, low, low + k),
    hashOfRange(hashOf, low + k, high),
  ])
  return nodeHash(left, right)
}

/** RFC 6962 section 2.1.1: the inclusion proof, from the sibling of the leaf to the child of the root. */
export async function buildInclusionPath(
  hashOf: NodeHash,
  { seq, size }: { seq: bigint; size: bigint },
): Promise<readonly Buffer[]> {
  const ranges: (readonly [bigint, bigint])[] = []
  let low = 0n
  let high = size
  while (high - low > 1n) {
    const middle = low + splitOf(high - low)
    ranges.unshift(seq < middle ? [middle, high] : [low, middle])
    if (seq < middle) high = middle
    else low = middle
  }
  return hashesOf(hashOf, ranges)
}

/** RFC 6962 section 2.1.2: the consistency proof between the trees of `oldSize` and `size`. */
export async function buildConsistencyPath(
  hashOf: NodeHash,
  { oldSize, size }: { oldSize: bigint; size: bigint },
): Promise<readonly Buffer[]> {
  if (oldSize === 0n || oldSize === size) return []
  const ranges: (readonly [bigint, bigint])[] = []
  let low = 0n
  let high = size
  while (high !== oldSize) {
    const middle = low + splitOf(high - low)
    if (oldSize <= middle) {
      ranges.unshift([middle, high])
      high = middle
    } else {
      ranges.unshift([low, middle])
      low = middle
    }
  }
  // The verifier knows the old root, so it is omitted if the old tree is a complete left subtree.
  return hashesOf(hashOf, low === 0n ? ranges : [[low, high], ...ranges])
}

/** Returns the roots of the perfect subtrees of the first `size` leaves, largest first. */
export async function computeFrontierAt(hashOf: NodeHash, size: bigint): Promise<Frontier> {
  const roots: Buffer[] = []
  let low = 0n
  for (let level = getBitLength(size) - 1; level >= 0; level -= 1) {
    const width = 1n << BigInt(level)
    if ((size & width) === 0n) continue
    roots.push(await hashOf(level, low >> BigInt(level)))
    low += width
  }
  return { size, roots }
}

function hashesOf(
  hashOf: NodeHash,
  ranges: readonly (readonly [bigint, bigint])[],
): Promise<readonly Buffer[]> {
  return Promise.all(ranges.map(([low, high]) => hashOfRange(hashOf, low, high)))
}

/** The largest power of two below `count`; 0 for one leaf. */
function splitOf(count: bigint): bigint {
  return count <= 1n ? 0n : 1n << BigInt(getBitLength(count - 1n) - 1)
}

function getBitLength(value: bigint): number {
  return value.toString(2).length
}
