import type pg from 'pg'
import { EMPTY_FRONTIER, HASH_BYTES, nodeHash, rootOf, STORED_LEVEL_STEP } from '../log/merkle.ts'
import { consistencyPath, hashOfRange, inclusionPath, type NodeHash } from './paths.ts'

const BLOCK = 1n << BigInt(STORED_LEVEL_STEP)
/** A pool, or one connection in the middle of its snapshot. */
type Reader = pg.Pool | pg.PoolClient

/**
 * Hashes of any subtree from the stored ones: the nodes of a path lie in at most two blocks of 256
 * hashes on every eighth level. The blocks that are asked for together are read together.
 */
export function nodeReader(pool: Reader, ledger: number): NodeHash {
  const blocks = new Map<string, Promise<readonly Buffer[]>>()
  let asked: Asked[] = []

  function blockOf(level: number, first: bigint): Promise<readonly Buffer[]> {
    const key = `${level}/${first}`
    const known = blocks.get(key)
    if (known !== undefined) return known
    const block = new Promise<readonly Buffer[]>((resolve, reject) => {
      if (asked.length === 0) queueMicrotask(readAsked)
      asked.push({ level, first, resolve, reject })
    })
    blocks.set(key, block)
    return block
  }

  function readAsked(): void {
    const reading = asked
    asked = []
    readBlocks(pool, { ledger, blocks: reading }).then(
      (found) => {
        for (const [index, { resolve }] of reading.entries()) resolve(found[index] ?? [])
      },
      (error) => {
        for (const { reject } of reading) reject(error)
      },
    )
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

interface Block {
  level: number
  /** The index of its first hash on that level. */
  first: bigint
}

interface Asked extends Block {
  resolve(hashes: readonly Buffer[]): void
  reject(error: unknown): void
}

function fold(hashes: readonly Buffer[]): Buffer {
  const [only] = hashes
  if (only === undefined) throw new Error('a subtree has leaves')
  if (hashes.length === 1) return only
  const half = hashes.length / 2
  return nodeHash(fold(hashes.slice(0, half)), fold(hashes.slice(half)))
}

/** In one round trip, each block as one value: reading 256 rows takes longer than all the rest. */
async function readBlocks(
  pool: Reader,
  { ledger, blocks }: { ledger: number; blocks: readonly Block[] },
): Promise<readonly (readonly Buffer[])[]> {
  const { rows } = await pool.query<{ hashes: Buffer | null }>({
    name: 'hash-blocks',
    text: `select block.hashes from unnest($2::int[], $3::bigint[]) with ordinality
             as wanted(level, first, place)
           cross join lateral (
             select string_agg(hash, ''::bytea order by idx) as hashes from (
               select idx, hash from ledger.subtree
               where ledger_id = $1 and level = wanted.level and wanted.level > 0
                 and idx >= wanted.first and idx < wanted.first + ${BLOCK}
               union all
               select seq, leaf_hash from ledger.event
               where ledger_id = $1 and wanted.level = 0
                 and seq >= wanted.first and seq < wanted.first + ${BLOCK}
             ) as hashed
           ) as block order by wanted.place`,
    values: [ledger, blocks.map(({ level }) => level), blocks.map(({ first }) => first)],
  })
  return rows.map(({ hashes }) => hashesIn(hashes ?? Buffer.alloc(0)))
}

function hashesIn(packed: Buffer): readonly Buffer[] {
  const hashes: Buffer[] = []
  for (let at = 0; at < packed.length; at += HASH_BYTES) {
    hashes.push(packed.subarray(at, at + HASH_BYTES))
  }
  return hashes
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
