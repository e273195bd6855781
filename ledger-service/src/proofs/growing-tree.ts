import type pg from 'pg'
import { appendTo, type Frontier, rootOf } from '../log/merkle.ts'
import type { Findings } from './findings.ts'

export interface GrowingTree {
  size(): bigint
  root(): Buffer
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
    size: () => size,
    root: () => rootOf({ size, roots }),
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

export async function readSubtrees(
  client: pg.PoolClient,
  ledger: number,
): Promise<ReadonlyMap<string, Buffer>> {
  const { rows } = await client.query<{ level: number; idx: bigint; hash: Buffer }>(
    'select level, idx, hash from ledger.subtree where ledger_id = $1',
    [ledger],
  )
  return new Map(rows.map(({ level, idx, hash }) => [`${level}/${idx}`, hash]))
}
