import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  append,
  computeLevelAbove,
  computeRoot,
  EMPTY_FRONTIER,
  hashLeaf,
  hashNode,
  packFrontier,
  unpackFrontier,
} from './merkle.ts'

// Test vectors of Certificate Transparency: eight leaves, and the roots of the trees with one to
// eight leaves.
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
]
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

test('the roots are those of RFC 6962', () => {
  expect(computeRoot(EMPTY_FRONTIER).toString('hex')).toBe(createHash('sha256').digest('hex'))
  let frontier = EMPTY_FRONTIER
  LEAVES.forEach((leaf, index) => {
    frontier = append(frontier, hashLeaf(Buffer.from(leaf, 'hex'))).frontier
    expect(computeRoot(frontier).toString('hex')).toBe(ROOTS[index])
  })
})

test('the level above has the hash of each pair, and none for an unpaired node', () => {
  const leaves = Array.from({ length: 5 }, (_, index) => hashLeaf(Buffer.from(String(index))))
  const [first, second, third, fourth] = leaves as [Buffer, Buffer, Buffer, Buffer]
  const pairs = Buffer.concat([hashNode(first, second), hashNode(third, fourth)])
  expect(computeLevelAbove(Buffer.concat(leaves))).toEqual(pairs)
  expect(computeLevelAbove(computeLevelAbove(Buffer.concat(leaves)))).toEqual(
    hashNode(pairs.subarray(0, 32), pairs.subarray(32)),
  )
})

test('an unpacked frontier gives the same roots as the original', () => {
  const leaves = Array.from({ length: 700 }, (_, index) => hashLeaf(Buffer.from(String(index))))
  let kept = EMPTY_FRONTIER
  let stored = EMPTY_FRONTIER
  for (const leaf of leaves) {
    kept = append(kept, leaf).frontier
    stored = append(unpackFrontier(stored.size, packFrontier(stored)), leaf).frontier
  }
  expect(computeRoot(stored)).toEqual(computeRoot(kept))
  expect(() => unpackFrontier(3n, packFrontier(kept))).toThrow('has 2 subtrees')
})

test('each 256 leaves complete a stored subtree, whose hash is the root over them', () => {
  let frontier = EMPTY_FRONTIER
  const completed = []
  for (let index = 0; index < 600; index += 1) {
    const added = append(frontier, hashLeaf(Buffer.from(String(index))))
    frontier = added.frontier
    completed.push(...added.completed)
  }
  expect(completed.map(({ level, idx }) => [level, idx])).toEqual([
    [8, 0n],
    [8, 1n],
  ])
  const [first, second] = completed
  if (first === undefined || second === undefined) throw new Error('two subtrees')
  expect(frontier.roots[0]).toEqual(hashNode(first.hash, second.hash))
})
