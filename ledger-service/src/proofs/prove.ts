import type pg from 'pg'
import { computeRoot, EMPTY_FRONTIER } from '../log/merkle.ts'
import { buildConsistencyPath, buildInclusionPath, hashRange } from './paths.ts'
import { openCachedTree, type StoredTree } from './stored-tree.ts'

interface Sized {
  ledger: number
  size: bigint | null
}

/**
 * Returns the head of the first `size` events, or of all events if null. Throws a RangeError if
 * `size` exceeds the log.
 */
export async function computeHeadAt(
  pool: pg.Pool,
  { ledger, size }: Sized,
): Promise<{ size: bigint; root: string }> {
  return computeHead(openCachedTree(pool, ledger), size)
}

/** Like `computeHeadAt`, but for a tree that the caller has opened. */
export async function computeHead(
  tree: StoredTree,
  size: bigint | null,
): Promise<{ size: bigint; root: string }> {
  const wanted = await readTreeSize(tree, size)
  if (wanted === 0n) return { size: 0n, root: computeRoot(EMPTY_FRONTIER).toString('hex') }
  const root = await hashRange(tree.getSubtreeHash, 0n, wanted)
  return { size: wanted, root: root.toString('hex') }
}

export async function proveInclusion(
  pool: pg.Pool,
  { seq, ledger, size }: Sized & { seq: bigint },
): Promise<{ size: bigint; path: string[] }> {
  const tree = openCachedTree(pool, ledger)
  // The block of the leaf is requested before the size is awaited, so that one query reads block
  // and size.
  const leafBlock = tree.getSubtreeHash(0, seq)
  leafBlock.catch(() => {})
  const treeSize = await readTreeSize(tree, size)
  if (seq < 0n || seq >= treeSize)
    throw new RangeError(`the first ${treeSize} events do not include event ${seq}`)
  const path = await buildInclusionPath(tree.getSubtreeHash, { seq, size: treeSize })
  return { size: treeSize, path: path.map((hash) => hash.toString('hex')) }
}

export async function proveConsistency(
  pool: pg.Pool,
  { ledger, oldSize, size }: Sized & { oldSize: bigint },
): Promise<{ size: bigint; path: string[] }> {
  const tree = openCachedTree(pool, ledger)
  const treeSize = await readTreeSize(tree, size)
  if (oldSize < 0n || oldSize > treeSize) {
    throw new RangeError(`a log of ${treeSize} events has no prefix of ${oldSize}`)
  }
  const path = await buildConsistencyPath(tree.getSubtreeHash, { oldSize, size: treeSize })
  return { size: treeSize, path: path.map((hash) => hash.toString('hex')) }
}

async function readTreeSize(tree: StoredTree, size: bigint | null): Promise<bigint> {
  const now = await tree.readSize()
  if (size !== null && (size < 0n || size > now)) throw new RangeError(`the log has ${now} events`)
  return size ?? now
}
