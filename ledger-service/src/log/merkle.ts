import { hashSha256, writeSha256 } from './sha256.ts'

/**
 * The Merkle tree of RFC 6962 section 2.1 with SHA-256. Leaves are prefixed with 0, inner nodes
 * with 1.
 */
export const HASH_BYTES = 32
/** Every eighth level is stored, so that a proof reads few rows. */
export const STORED_LEVEL_STEP = 8

/** The roots of the perfect subtrees of a tree with `size` leaves, largest subtree first. */
export interface Frontier {
  readonly size: bigint
  readonly roots: readonly Buffer[]
}

export interface Subtree {
  level: number
  idx: bigint
  hash: Buffer
}

const LEAF = Buffer.of(0)
/** A reused buffer for short leaves. Its first byte is always 0. */
const LEAF_BUFFER = Buffer.alloc(16 * 1024)
/** A reused buffer for inner nodes. Hashing is synchronous, so calls cannot overlap. */
const NODE = Buffer.alloc(1 + 2 * HASH_BYTES, 1)

export const EMPTY_FRONTIER: Frontier = { size: 0n, roots: [] }

export function hashLeaf(bytes: Buffer): Buffer {
  if (bytes.length >= LEAF_BUFFER.length) return hashSha256(Buffer.concat([LEAF, bytes]))
  LEAF_BUFFER.set(bytes, 1)
  return hashSha256(LEAF_BUFFER.subarray(0, 1 + bytes.length))
}

export function hashNode(left: Buffer, right: Buffer): Buffer {
  NODE.set(left, 1)
  NODE.set(right, 1 + HASH_BYTES)
  return hashSha256(NODE)
}

/** Returns the parents of adjacent pairs of nodes. An unpaired last node has no parent yet. */
export function computeLevelAbove(hashes: Buffer): Buffer {
  const pairs = Math.floor(hashes.length / (2 * HASH_BYTES))
  const above = Buffer.alloc(pairs * HASH_BYTES)
  for (let pair = 0; pair < pairs; pair += 1) {
    const at = pair * 2 * HASH_BYTES
    hashes.copy(NODE, 1, at, at + 2 * HASH_BYTES)
    writeSha256(NODE, above, pair * HASH_BYTES)
  }
  return above
}

/** Appends a leaf. `completed` contains the subtrees of stored levels that this leaf completes. */
export function append(
  frontier: Frontier,
  leaf: Buffer,
): { frontier: Frontier; completed: readonly Subtree[] } {
  const roots = [...frontier.roots]
  const completed = appendTo(roots, { size: frontier.size, leaf })
  return { frontier: { size: frontier.size + 1n, roots }, completed }
}

/** Like `append`, but changes the array `roots` instead of copying it for each leaf. */
export function appendTo(
  roots: Buffer[],
  { size, leaf }: { size: bigint; leaf: Buffer },
): readonly Subtree[] {
  const completed: Subtree[] = []
  let hash = leaf
  let level = 0
  let idx = size
  while (idx % 2n === 1n) {
    const left = roots.pop()
    if (left === undefined) throw new Error('the frontier does not match its size')
    hash = hashNode(left, hash)
    level += 1
    idx /= 2n
    if (level % STORED_LEVEL_STEP === 0) completed.push({ level, idx, hash })
  }
  roots.push(hash)
  return completed
}

export function computeRoot({ roots }: Frontier): Buffer {
  const last = roots.at(-1)
  if (last === undefined) return hashSha256(Buffer.alloc(0))
  return roots.slice(0, -1).reduceRight((right, left) => hashNode(left, right), last)
}

export function packFrontier({ roots }: Frontier): Buffer {
  return Buffer.concat(roots)
}

export function unpackFrontier(size: bigint, packed: Buffer): Frontier {
  const roots: Buffer[] = []
  for (let at = 0; at < packed.length; at += HASH_BYTES) {
    roots.push(packed.subarray(at, at + HASH_BYTES))
  }
  const ones = size.toString(2).replaceAll('0', '').length
  if (roots.length !== ones) throw new Error(`a tree of ${size} leaves has ${ones} subtrees`)
  return { size, roots }
}
