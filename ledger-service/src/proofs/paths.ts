import { type Frontier, hashNode } from '../log/merkle.ts'

/** Returns the hash of the complete subtree number `idx` that has `2^level` leaves. */
export type NodeHash = (level: number, idx: bigint) => Promise<Buffer>

/**
 * Returns the hash of the leaves from `low` up to, not including, `high` (RFC 6962 section 2.1).
 */
export async function hashRange(
  getSubtreeHash: NodeHash,
  low: bigint,
  high: bigint,
): Promise<Buffer> {
  const count = high - low
  const k = computeSplit(count)
  if (count === k * 2n || count === 1n) {
    const level = getBitLength(count) - 1
    return getSubtreeHash(level, low >> BigInt(level))
  }
  const [left, right] = await Promise.all([
    hashRange(getSubtreeHash, low, low + k),
    hashRange(getSubtreeHash, low + k, high),
  ])
  return hashNode(left, right)
}

/**
 * Returns the inclusion proof, from the sibling of the leaf to the child of the root (RFC 6962
 * section 2.1.1).
 */
export async function buildInclusionPath(
  getSubtreeHash: NodeHash,
  { seq, size }: { seq: bigint; size: bigint },
): Promise<readonly Buffer[]> {
  const ranges: (readonly [bigint, bigint])[] = []
  let low = 0n
  let high = size
  while (high - low > 1n) {
    const middle = low + computeSplit(high - low)
    ranges.unshift(seq < middle ? [middle, high] : [low, middle])
    if (seq < middle) high = middle
    else low = middle
  }
  return hashRanges(getSubtreeHash, ranges)
}

/**
 * Returns the consistency proof between the trees of `oldSize` and `size` (RFC 6962 section 2.1.2).
 */
export async function buildConsistencyPath(
  getSubtreeHash: NodeHash,
  { oldSize, size }: { oldSize: bigint; size: bigint },
): Promise<readonly Buffer[]> {
  if (oldSize === 0n || oldSize === size) return []
  const ranges: (readonly [bigint, bigint])[] = []
  let low = 0n
  let high = size
  while (high !== oldSize) {
    const middle = low + computeSplit(high - low)
    if (oldSize <= middle) {
      ranges.unshift([middle, high])
      high = middle
    } else {
      ranges.unshift([low, middle])
      low = middle
    }
  }
  // If `low` is zero, the proof omits the hash of these leaves. This hash is the old root, which
  // the verifier already has.
  return hashRanges(getSubtreeHash, low === 0n ? ranges : [[low, high], ...ranges])
}

/** Returns the roots of the perfect subtrees of the first `size` leaves, largest first. */
export async function computeFrontierAt(getSubtreeHash: NodeHash, size: bigint): Promise<Frontier> {
  const roots: Buffer[] = []
  let low = 0n
  for (let level = getBitLength(size) - 1; level >= 0; level -= 1) {
    const width = 1n << BigInt(level)
    if ((size & width) === 0n) continue
    roots.push(await getSubtreeHash(level, low >> BigInt(level)))
    low += width
  }
  return { size, roots }
}

function hashRanges(
  getSubtreeHash: NodeHash,
  ranges: readonly (readonly [bigint, bigint])[],
): Promise<readonly Buffer[]> {
  return Promise.all(ranges.map(([low, high]) => hashRange(getSubtreeHash, low, high)))
}

/** Returns the largest power of two below `count`, or 0 for one leaf. */
function computeSplit(count: bigint): bigint {
  return count <= 1n ? 0n : 1n << BigInt(getBitLength(count - 1n) - 1)
}

function getBitLength(value: bigint): number {
  return value.toString(2).length
}
