import type pg from 'pg'
import { EMPTY_FRONTIER, nodeHash, rootOf, STORED_LEVEL_STEP } from '../log/merkle.ts'
import { consistencyPath, hashOfRange, inclusionPath, type NodeHash } from './paths.ts'

const BLOCK = 1n << BigInt(STORED_LEVEL_STEP)
/** A pool, or one connection in the middle of its snapshot. */
type Reader = pg.Pool | pg.PoolClient

/**
 * Hashes of any subtree from the stored ones: the nodes of a path lie in at most two blocks of 256
 * hashes on every eighth level, and each block is one read by key.
 */
export function nodeReader(pool: Reader, ledger: number): NodeHash {
  const blocks = new Map<string, Promise<readonly Buffer[]>>()

  function blockOf(level: number, first: bigint): Promise<readonly Buffer[]> {
    const key = `${level}/${first}`
    const known = blocks.get(key) ?? readBlock(pool, { ledger, level, first })
    blocks.set(key, known)
    return known
  }

  return async (level, idx) => {
    const stored = level - (level % STORED_LEVEL_STEP)
    const width = 1n << BigInt(level - stored)
    const start = idx * width
    const first = start - (start % BLOCK)
    const hashes = await blockOf(stored, first)
    const from = Number(start - first)
    const below = hashes.slice(from, from + Number(width))
    if (below.length !== Number(width)) throw new Error(`subtree ${level}/${idx} is not whole`)
    return fold(below)
  }
}

function fold(hashes: readonly Buffer[]): Buffer {
  const [only] = hashes
  if (only === undefined) throw new Error('a subtree has leaves')
  if (hashes.length === 1) return only
  const half = hashes.length / 2
  return nodeHash(fold(hashes.slice(0, half)), fold(hashes.slice(half)))
}

async function readBlock(
  pool: Reader,
  block: { ledger: number; level: number; first: bigint },
): Promise<readonly Buffer[]> {
  const { ledger, level, first } = block
  const bounds = [ledger, first, first + BLOCK]
  const { rows } =
    level === 0
      ? await pool.query<{ hash: Buffer }>({
          name: 'leaf-block',
          text: `select leaf_hash as hash from ledger.event
                 where ledger_id = $1 and seq >= $2 and seq < $3 order by seq`,
          values: bounds,
        })
      : await pool.query<{ hash: Buffer }>({
          name: 'subtree-block',
          text: `select hash from ledger.subtree
                 where ledger_id = $1 and idx >= $2 and idx < $3 and level = $4 order by idx`,
          values: [...bounds, level],
        })
  return rows.map(({ hash }) => hash)
}

interface Sized {
  ledger: number
  size: bigint | null
}

/** The tree head over the first `size` events; null: over all. A size the log never had throws. */
export async function headAt(
  pool: pg.Pool,
  { ledger, size }: Sized,
): Promise<{ size: bigint; root: string }> {
  const wanted = await sizeWithin(pool, { ledger, size })
  if (wanted === 0n) return { size: 0n, root: rootOf(EMPTY_FRONTIER).toString('hex') }
  const root = await hashOfRange(nodeReader(pool, ledger), 0n, wanted)
  return { size: wanted, root: root.toString('hex') }
}

export async function proveInclusion(
  pool: pg.Pool,
  { seq, ...sized }: Sized & { seq: bigint },
): Promise<{ size: bigint; path: string[] }> {
  const size = await sizeWithin(pool, sized)
  if (seq < 0n || seq >= size) throw new RangeError(`there is no event ${seq} among ${size}`)
  const path = await inclusionPath(nodeReader(pool, sized.ledger), { seq, size })
  return { size, path: path.map((hash) => hash.toString('hex')) }
}

export async function proveConsistency(
  pool: pg.Pool,
  { oldSize, ...sized }: Sized & { oldSize: bigint },
): Promise<{ size: bigint; path: string[] }> {
  const size = await sizeWithin(pool, sized)
  if (oldSize < 0n || oldSize > size) {
    throw new RangeError(`a log of ${size} events has no prefix of ${oldSize}`)
  }
  const path = await consistencyPath(nodeReader(pool, sized.ledger), { oldSize, size })
  return { size, path: path.map((hash) => hash.toString('hex')) }
}

async function sizeWithin(pool: pg.Pool, { ledger, size }: Sized): Promise<bigint> {
  const { rows } = await pool.query<{ size: bigint }>(
    'select size from ledger.head where ledger_id = $1',
    [ledger],
  )
  const now = rows[0]?.size ?? 0n
  if (size !== null && (size < 0n || size > now)) throw new RangeError(`the log has ${now} events`)
  return size ?? now
}
