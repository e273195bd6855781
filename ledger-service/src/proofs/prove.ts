import type pg from 'pg'
import { EMPTY_FRONTIER, rootOf } from '../log/merkle.ts'
import { consistencyPath, hashOfRange, inclusionPath } from './paths.ts'
import { keptTree, type StoredTree } from './stored-tree.ts'

interface Sized {
  ledger: number
  size: bigint | null
}

/** The tree head over the first `size` events; null: over all. A size the log never had throws. */
export async function headAt(
  pool: pg.Pool,
  { ledger, size }: Sized,
): Promise<{ size: bigint; root: string }> {
  const tree = keptTree(pool, ledger)
  const wanted = await sizeWithin(tree, size)
  if (wanted === 0n) return { size: 0n, root: rootOf(EMPTY_FRONTIER).toString('hex') }
  const root = await hashOfRange(tree.hashOf, 0n, wanted)
  return { size: wanted, root: root.toString('hex') }
}

export async function proveInclusion(
  pool: pg.Pool,
  { seq, ledger, size }: Sized & { seq: bigint },
): Promise<{ size: bigint; path: string[] }> {
  const tree = keptTree(pool, ledger)
  // The hashes beside it are needed at any size: they are read together with it.
  const beside = tree.hashOf(0, seq)
  beside.catch(() => {})
  const among = await sizeWithin(tree, size)
  if (seq < 0n || seq >= among) throw new RangeError(`there is no event ${seq} among ${among}`)
  const path = await inclusionPath(tree.hashOf, { seq, size: among })
  return { size: among, path: path.map((hash) => hash.toString('hex')) }
}

export async function proveConsistency(
  pool: pg.Pool,
  { ledger, oldSize, size }: Sized & { oldSize: bigint },
): Promise<{ size: bigint; path: string[] }> {
  const tree = keptTree(pool, ledger)
  const among = await sizeWithin(tree, size)
  if (oldSize < 0n || oldSize > among) {
    throw new RangeError(`a log of ${among} events has no prefix of ${oldSize}`)
  }
  const path = await consistencyPath(tree.hashOf, { oldSize, size: among })
  return { size: among, path: path.map((hash) => hash.toString('hex')) }
}

async function sizeWithin(tree: StoredTree, size: bigint | null): Promise<bigint> {
  const now = await tree.size()
  if (size !== null && (size < 0n || size > now)) throw new RangeError(`the log has ${now} events`)
  return size ?? now
}
