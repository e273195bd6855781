import { openCheckpoint, ProofError, type VerifierKey } from '@cairn/ledger-contracts/proof'
import type pg from 'pg'
import { listVerifierKeys, openKeysOrFirst } from './log-keys.ts'

export interface SignedHead {
  size: bigint
  root: Buffer
  note: string
  keys: readonly VerifierKey[]
}

export interface CheckpointReader {
  /** The number of all checkpoints of the ledger. */
  readonly count: number
  /**
   * Returns the first checkpoint that `advance` has not passed. Returns null after the last
   * checkpoint.
   */
  takeNext(): SignedHead | null
  advance(): Promise<void>
}

const PAGE = 1_000

/**
 * Reads the checkpoints of more than `after` events in ascending size. Reads one page at a time,
 * because memory can be too small for all checkpoints.
 */
export async function openCheckpointReader(
  client: pg.ClientBase,
  options: { ledger: number; after: bigint; pageRows?: number | undefined },
): Promise<CheckpointReader> {
  const { ledger, after: first, pageRows = PAGE } = options
  const keys = openKeysOrFirst(await listVerifierKeys(client, ledger))
  const counted = await client.query<{ count: bigint }>(
    'select count(*) as count from ledger.checkpoint where ledger_id = $1',
    [ledger],
  )
  let page = await readPage(first)
  let place = 0

  async function readPage(after: bigint): Promise<readonly SignedHead[]> {
    const { rows } = await client.query<Omit<SignedHead, 'keys'>>(
      `select size, root, note from ledger.checkpoint where ledger_id = $1 and size > $2
       order by size limit $3`,
      [ledger, after, pageRows],
    )
    return rows.map((row) => ({ ...row, keys }))
  }

  return {
    count: Number(counted.rows[0]?.count ?? 0n),
    takeNext: () => page[place] ?? null,
    advance: async () => {
      const last = page[place]
      place += 1
      if (place < page.length || last === undefined) return
      page = await readPage(last.size)
      place = 0
    },
  }
}

/** Returns the sizes of checkpoints that exceed the log, at most one page. */
export async function listSizesBeyond(
  client: pg.ClientBase,
  { ledger, size }: { ledger: number; size: bigint },
): Promise<readonly bigint[]> {
  const { rows } = await client.query<{ size: bigint }>(
    `select size from ledger.checkpoint where ledger_id = $1 and size > $2
     order by size limit ${PAGE}`,
    [ledger, size],
  )
  return rows.map((row) => row.size)
}

/** Returns the sizes that have several checkpoints, at most one page. No writer stores a second one. */
export async function listRepeatedSizes(
  client: pg.ClientBase,
  ledger: number,
): Promise<readonly bigint[]> {
  const { rows } = await client.query<{ size: bigint }>(
    `select size from ledger.checkpoint where ledger_id = $1
     group by size having count(*) > 1 order by size limit ${PAGE}`,
    [ledger],
  )
  return rows.map((row) => row.size)
}

/** Checks the signature of a checkpoint and compares it with the computed root. */
export async function findCheckpointProblems(
  signed: SignedHead,
  root: Buffer,
): Promise<readonly string[]> {
  const { size, note, keys } = signed
  try {
    const checkpoint = await openCheckpoint(note, keys)
    const isSame = checkpoint.size === size && root.equals(checkpoint.root)
    if (isSame && root.equals(signed.root)) return []
    return [`the first ${size} events differ from the signed checkpoint of ${size} events`]
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    return [`the checkpoint of ${size} events: ${error.message}`]
  }
}
