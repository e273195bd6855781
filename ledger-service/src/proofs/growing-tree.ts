import type pg from 'pg'
import { appendTo, computeRoot, type Frontier, STORED_LEVEL_STEP } from '../log/merkle.ts'
import type { Findings } from './findings.ts'

export interface GrowingTree {
  getSize(): bigint
  computeRoot(): Buffer
  add(leaf: Buffer): void
}

/** Computes the tree of the leaves and compares it with the stored subtrees. */
export function growTree(parts: {
  frontier: Frontier
  subtrees: ReadonlyMap<string, Buffer>
  found: Findings
}): GrowingTree {
  const { subtrees, found, frontier } = parts
  const roots = [...frontier.roots]
  let { size } = frontier
  return {
    getSize: () => size,
    computeRoot: () => computeRoot({ size, roots }),
    add: (leaf: Buffer) => {
      const completed = appendTo(roots, { size, leaf })
      size += 1n
      for (const { level, idx, hash } of completed) {
        if (!subtrees.get(`${level}/${idx}`)?.equals(hash)) {
          found.add(`the stored subtree ${level}/${idx} is not the hash of its events`)
        }
      }
    },
  }
}

/**
 * Returns one sentence for each stored subtree that has more leaves than the log of this size
 * contains, or that is stored more than once. No event can have created such a subtree.
 */
export async function findExtraSubtrees(
  client: pg.ClientBase,
  { ledger, size }: { ledger: number; size: bigint },
): Promise<readonly string[]> {
  const { rows } = await client.query<{ level: number; idx: bigint; isRepeated: boolean }>(
    `select level, idx, count(*) > 1 as "isRepeated" from ledger.subtree
     where ledger_id = $1 group by level, idx
     having count(*) > 1 or level < 1 or level % $3 <> 0 or idx < 0 or (idx + 1) * 2::numeric ^ level > $2
     order by level, idx limit 100`,
    [ledger, size, STORED_LEVEL_STEP],
  )
  return rows.map(
    ({ level, idx, isRepeated }) =>
      `the stored subtree ${level}/${idx} ${isRepeated ? 'is stored more than once' : 'belongs to no events'}`,
  )
}

export async function readSubtrees(
  client: pg.ClientBase,
  ledger: number,
): Promise<ReadonlyMap<string, Buffer>> {
  const { rows } = await client.query<{ level: number; idx: bigint; hash: Buffer }>(
    'select level, idx, hash from ledger.subtree where ledger_id = $1',
    [ledger],
  )
  return new Map(rows.map(({ level, idx, hash }) => [`${level}/${idx}`, hash]))
}
