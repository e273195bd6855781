import type pg from 'pg'
import { HASH_BYTES, levelAbove, STORED_LEVEL_STEP } from '../log/merkle.ts'
import type { NodeHash } from './paths.ts'

const BLOCK = 1n << BigInt(STORED_LEVEL_STEP)
/** 32 MiB of them at most, with the hashes above theirs. */
const BLOCKS_KEPT_MAX = 2_048
/** A pool, or one connection in the middle of its snapshot. */
type Reader = pg.Pool | pg.PoolClient

/** The tree of a ledger as its rows have it. */
export interface StoredTree {
  hashOf: NodeHash
  /** Over how many events it stands now. */
  size(): Promise<bigint>
}

/**
 * Hashes of any subtree from the stored ones: the nodes of a path lie in at most two blocks of 256
 * hashes on every eighth level. What is asked for in one turn is one question to the database.
 */
export function storedTree(
  reader: Reader,
  ledger: number,
  kept: KeptBlocks = NONE_KEPT,
): StoredTree {
  const keyOf = ({ level, first }: Place) => `${ledger}/${level}/${first}`
  const blocks = new Map<string, Promise<Block>>()
  let asked: Place[] = []
  let answer: Promise<Answer> | null = null

  /** Once all have asked who are about to. */
  async function read(): Promise<Answer> {
    await null
    const places = asked
    asked = []
    answer = null
    return readTogether(reader, { ledger, places })
  }

  async function readBlock(place: Place): Promise<Block> {
    const at = asked.push(place) - 1
    answer ??= read()
    const block = createBlock((await answer).blocks[at] ?? Buffer.alloc(0))
    kept.keep(keyOf(place), block)
    return block
  }

  function blockOf(place: Place): Promise<Block> {
    const block = blocks.get(keyOf(place)) ?? readBlock(place)
    blocks.set(keyOf(place), block)
    return block
  }

  return {
    hashOf: async (level, idx) => {
      const height = level % STORED_LEVEL_STEP
      const start = idx << BigInt(height)
      const first = start - (start % BLOCK)
      const place = { level: level - height, first }
      const index = Number((start - first) >> BigInt(height))
      const known = kept.find(keyOf(place))?.find(height, index)
      const found = known ?? (await blockOf(place)).find(height, index)
      if (found === null) throw new Error(`subtree ${level}/${idx} is not whole`)
      return found
    },
    size: async () => {
      answer ??= read()
      return (await answer).size
    },
  }
}

/** Hashes beside each other on a stored level, and those above them up to the next stored one. */
interface Block {
  /** Of the perfect subtree so many levels above; null where one of its hashes is not there yet. */
  find(height: number, index: number): Buffer | null
}

/** Each level is made once, when it is first asked for. */
function createBlock(hashes: Buffer): Block {
  const levels = [hashes]
  return {
    find: (height, index) => {
      for (let made = levels.at(-1); made && levels.length <= height; made = levels.at(-1)) {
        levels.push(levelAbove(made))
      }
      const from = index * HASH_BYTES
      const found = levels[height]?.subarray(from, from + HASH_BYTES)
      return found?.length === HASH_BYTES ? found : null
    },
  }
}

/** What was hashed never changes, and what a block did not have yet is read again. */
export interface KeptBlocks {
  find(key: string): Block | undefined
  keep(key: string, block: Block): void
}

const NONE_KEPT: KeptBlocks = { find: () => undefined, keep: () => {} }

function createKeptBlocks(): KeptBlocks {
  const blocks = new Map<string, Block>()
  return {
    find: (key) => {
      const found = blocks.get(key)
      // A Map keeps the order of insertion: what is used again becomes the newest.
      if (found !== undefined && blocks.delete(key)) blocks.set(key, found)
      return found
    },
    keep: (key, block) => {
      const [oldest] = blocks.keys()
      if (blocks.size >= BLOCKS_KEPT_MAX && oldest !== undefined) blocks.delete(oldest)
      blocks.set(key, block)
    },
  }
}

// By the pool, which is the database: what verifies reads over one connection, and keeps nothing.
const keptBy = new WeakMap<pg.Pool, KeptBlocks>()

/** Keeps the blocks that were read last for whoever asks next. */
export function keptTree(pool: pg.Pool, ledger: number): StoredTree {
  const kept = keptBy.get(pool) ?? createKeptBlocks()
  keptBy.set(pool, kept)
  return storedTree(pool, ledger, kept)
}

interface Place {
  level: number
  /** The index of its first hash on that level. */
  first: bigint
}

interface Answer {
  size: bigint
  /** In the order they were asked for; null where there is none of its hashes. */
  blocks: readonly (Buffer | null)[]
}

/** One row even when no block is asked for, each block one value: reading 256 rows takes longer. */
async function readTogether(
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
