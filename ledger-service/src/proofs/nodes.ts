import type pg from 'pg'
import { EMPTY_FRONTIER, HASH_BYTES, nodeHash, rootOf, STORED_LEVEL_STEP } from '../log/merkle.ts'
import { consistencyPath, hashOfRange, inclusionPath, type NodeHash } from './paths.ts'

const BLOCK = 1n << BigInt(STORED_LEVEL_STEP)
const BLOCK_BYTES = Number(BLOCK) * HASH_BYTES
/** 32 MiB of them at most. */
const BLOCKS_KEPT_MAX = 4_096
/** A pool, or one connection in the middle of its snapshot. */
type Reader = pg.Pool | pg.PoolClient

/**
 * Hashes of any subtree from the stored ones: the nodes of a path lie in at most two blocks of 256
 * hashes on every eighth level. The blocks that are asked for together are read together.
 */
export function nodeReader(pool: Reader, ledger: number, kept: WholeBlocks = NONE_KEPT): NodeHash {
  const blocks = new Map<string, Promise<Buffer>>()
  let asked: Asked[] = []

  function blockOf(level: number, first: bigint): Promise<Buffer> {
    const key = `${ledger}/${level}/${first}`
    const whole = kept.find(key)
    if (whole !== undefined) return Promise.resolve(whole)
    const known = blocks.get(key)
    if (known !== undefined) return known
    const block = new Promise<Buffer>((resolve, reject) => {
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
        for (const [index, { level, first, resolve }] of reading.entries()) {
          const hashes = found[index] ?? Buffer.alloc(0)
          if (hashes.length === BLOCK_BYTES) kept.keep(`${ledger}/${level}/${first}`, hashes)
          resolve(hashes)
        }
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
    const from = Number(start - first) * HASH_BYTES
    const below = hashes.subarray(from, from + Number(width) * HASH_BYTES)
    if (below.length !== Number(width) * HASH_BYTES) {
      throw new Error(`subtree ${level}/${idx} is not whole`)
    }
    return fold(below)
  }
}

/** Blocks that are full never change: those read last are kept, each as its 256 hashes in a row. */
export interface WholeBlocks {
  find(key: string): Buffer | undefined
  keep(key: string, hashes: Buffer): void
}

const NONE_KEPT: WholeBlocks = { find: () => undefined, keep: () => {} }

function createWholeBlocks(): WholeBlocks {
  const blocks = new Map<string, Buffer>()
  return {
    find: (key) => {
      const found = blocks.get(key)
      // A Map keeps the order of insertion: what is used again becomes the newest.
      if (found !== undefined && blocks.delete(key)) blocks.set(key, found)
      return found
    },
    keep: (key, hashes) => {
      const [oldest] = blocks.keys()
      if (blocks.size >= BLOCKS_KEPT_MAX && oldest !== undefined) blocks.delete(oldest)
      blocks.set(key, hashes)
    },
  }
}

// By the pool, which is the database: what verifies reads over one connection, and keeps nothing.
const keptBy = new WeakMap<pg.Pool, WholeBlocks>()

function keepingReader(pool: pg.Pool, ledger: number): NodeHash {
  const kept = keptBy.get(pool) ?? createWholeBlocks()
  keptBy.set(pool, kept)
  return nodeReader(pool, ledger, kept)
}

interface Block {
  level: number
  /** The index of its first hash on that level. */
  first: bigint
}

interface Asked extends Block {
  resolve(hashes: Buffer): void
  reject(error: unknown): void
}

function fold(hashes: Buffer): Buffer {
  if (hashes.length === 0) throw new Error('a subtree has leaves')
  if (hashes.length === HASH_BYTES) return hashes
  const half = hashes.length / 2
  return nodeHash(fold(hashes.subarray(0, half)), fold(hashes.subarray(half)))
}

/** In one round trip, each block as one value: reading 256 rows takes longer than all the rest. */
async function readBlocks(
  pool: Reader,
  { ledger, blocks }: { ledger: number; blocks: readonly Block[] },
): Promise<readonly Buffer[]> {
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
  return rows.map(({ hashes }) => hashes ?? Buffer.alloc(0))
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
  const root = await hashOfRange(keepingReader(pool, ledger), 0n, wanted)
  return { size: wanted, root: root.toString('hex') }
}

export async function proveInclusion(
  pool: pg.Pool,
  { seq, ...sized }: Sized & { seq: bigint },
): Promise<{ size: bigint; path: string[] }> {
  const hashOf = keepingReader(pool, sized.ledger)
  // The hashes beside it are needed at any size: they are read meanwhile.
  const beside = hashOf(0, seq)
  beside.catch(() => {})
  const size = await sizeWithin(pool, sized)
  if (seq < 0n || seq >= size) throw new RangeError(`there is no event ${seq} among ${size}`)
  const path = await inclusionPath(hashOf, { seq, size })
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
  const path = await consistencyPath(keepingReader(pool, sized.ledger), { oldSize, size })
  return { size, path: path.map((hash) => hash.toString('hex')) }
}

async function sizeWithin(pool: pg.Pool, { ledger, size }: Sized): Promise<bigint> {
  const { rows } = await pool.query<{ size: bigint }>({
    name: 'size',
    text: 'select size from ledger.head where ledger_id = $1',
    values: [ledger],
  })
  const now = rows[0]?.size ?? 0n
  if (size !== null && (size < 0n || size > now)) throw new RangeError(`the log has ${now} events`)
  return size ?? now
}
