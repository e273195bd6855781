import type pg from 'pg'
import { computeLevelAbove, HASH_BYTES, STORED_LEVEL_STEP } from '../log/merkle.ts'
import type { NodeHash } from './paths.ts'

const BLOCK = 1n << BigInt(STORED_LEVEL_STEP)
/** The maximum number of cached blocks, which need at most 32 MiB. */
const BLOCKS_KEPT_MAX = 2_048
/** A pool, or one connection. */
type Reader = Pick<pg.ClientBase, 'query'>

/** The Merkle tree of a ledger, computed from stored hashes. */
export interface StoredTree {
  getSubtreeHash: NodeHash
  /** Returns the current number of events. */
  readSize(): Promise<bigint>
}

/**
 * Opens a tree that computes subtree hashes from stored subtree hashes. One query reads all blocks
 * requested in one tick.
 */
export function openStoredTree(
  reader: Reader,
  ledger: number,
  kept: KeptBlocks = NONE_KEPT,
): StoredTree {
  const formatKey = ({ level, first }: Place) => `${ledger}/${level}/${first}`
  const blocks = new Map<string, Promise<Block>>()
  let asked: Place[] = []
  let answer: Promise<Answer> | null = null

  /** Waits one microtask, so that one query reads all blocks requested in this tick. */
  async function readRequestedBlocks(): Promise<Answer> {
    await null
    const places = asked
    asked = []
    answer = null
    return readBlocks(reader, { ledger, places })
  }

  async function readBlock(place: Place): Promise<Block> {
    const at = asked.push(place) - 1
    answer ??= readRequestedBlocks()
    const block = createBlock((await answer).blocks[at] ?? Buffer.alloc(0))
    kept.keepBlock(formatKey(place), block)
    return block
  }

  function getBlock(place: Place): Promise<Block> {
    const block = blocks.get(formatKey(place)) ?? readBlock(place)
    blocks.set(formatKey(place), block)
    return block
  }

  return {
    getSubtreeHash: async (level, idx) => {
      const height = level % STORED_LEVEL_STEP
      const start = idx << BigInt(height)
      const first = start - (start % BLOCK)
      const place = { level: level - height, first }
      const index = Number((start - first) >> BigInt(height))
      const known = kept.find(formatKey(place))?.find(height, index)
      const found = known ?? (await getBlock(place)).find(height, index)
      if (found === null) throw new Error(`subtree ${level}/${idx} is incomplete`)
      return found
    },
    readSize: async () => {
      answer ??= readRequestedBlocks()
      return (await answer).size
    },
  }
}

/**
 * A block of adjacent hashes of a stored level. The levels between this level and the next stored
 * level above it are computed from these hashes.
 */
interface Block {
  /**
   * Returns the hash of the perfect subtree that is `height` levels above the stored level, or null
   * if the subtree is incomplete.
   */
  find(height: number, index: number): Buffer | null
}

/** Creates a block that computes each level when it is first requested. */
function createBlock(hashes: Buffer): Block {
  const levels = [hashes]
  return {
    find: (height, index) => {
      for (let made = levels.at(-1); made && levels.length <= height; made = levels.at(-1)) {
        levels.push(computeLevelAbove(made))
      }
      const from = index * HASH_BYTES
      const found = levels[height]?.subarray(from, from + HASH_BYTES)
      return found?.length === HASH_BYTES ? found : null
    },
  }
}

/** A cache of blocks. Stored hashes never change, but an incomplete block must be read again. */
export interface KeptBlocks {
  find(key: string): Block | undefined
  keepBlock(key: string, block: Block): void
}

const NONE_KEPT: KeptBlocks = { find: () => undefined, keepBlock: () => {} }

function createKeptBlocks(): KeptBlocks {
  const blocks = new Map<string, Block>()
  return {
    find: (key) => {
      const found = blocks.get(key)
      // The block is inserted again, so that the first block of the map is the least recently used
      // one.
      if (found !== undefined && blocks.delete(key)) blocks.set(key, found)
      return found
    },
    keepBlock: (key, block) => {
      const [oldest] = blocks.keys()
      if (blocks.size >= BLOCKS_KEPT_MAX && oldest !== undefined) blocks.delete(oldest)
      blocks.set(key, block)
    },
  }
}

// Each pool connects to its own database, so each pool has its own cache.
const keptBy = new WeakMap<pg.Pool, KeptBlocks>()

/** Opens a stored tree that caches the blocks that were read last. */
export function openCachedTree(pool: pg.Pool, ledger: number): StoredTree {
  const kept = keptBy.get(pool) ?? createKeptBlocks()
  keptBy.set(pool, kept)
  return openStoredTree(pool, ledger, kept)
}

interface Place {
  level: number
  /** The index of the block's first hash on this level. */
  first: bigint
}

interface Answer {
  size: bigint
  /** One element per block, in the order of the request. Null if no hash of the block exists. */
  blocks: readonly (Buffer | null)[]
}

/**
 * Reads each block as one value, because reading 256 rows per block is slower. If no blocks are
 * requested, returns only the size.
 */
async function readBlocks(
  reader: Reader,
  { ledger, places }: { ledger: number; places: readonly Place[] },
): Promise<Answer> {
  const { rows } = await reader.query<{ size: bigint | null; hashes: Buffer | null }>({
    name: 'hash-blocks',
    text: `select (select size from ledger.head where ledger_id = $1) as size, block.hashes
           from (select) as once left join (
             unnest($2::int[], $3::bigint[]) with ordinality as wanted(level, first, place)
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
             ) as block
           ) on true order by wanted.place`,
    values: [ledger, places.map(({ level }) => level), places.map(({ first }) => first)],
  })
  return { size: rows[0]?.size ?? 0n, blocks: rows.map(({ hashes }) => hashes) }
}
