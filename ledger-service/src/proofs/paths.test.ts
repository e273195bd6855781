import { isConsistent, isIncluded } from '@cairn/ledger-contracts/proof'
import { expect, test } from 'vitest'
import { hashLeaf, hashNode } from '../log/merkle.ts'
import { buildConsistencyPath, buildInclusionPath, hashRange, type NodeHash } from './paths.ts'

const LEAVES = Array.from({ length: 130 }, (_, index) => hashLeaf(Buffer.from(`event ${index}`)))

const getSubtreeHash: NodeHash = async (level, idx) => {
  if (level === 0) {
    const leaf = LEAVES[Number(idx)]
    if (leaf === undefined) throw new Error(`no leaf ${idx}`)
    return leaf
  }
  const [left, right] = [
    await getSubtreeHash(level - 1, idx * 2n),
    await getSubtreeHash(level - 1, idx * 2n + 1n),
  ]
  return hashNode(left, right)
}

test('the public verifier accepts every path that the ledger creates', async () => {
  for (let size = 1n; size <= 130n; size += 1n) {
    const root = await hashRange(getSubtreeHash, 0n, size)
    for (let seq = 0n; seq < size; seq += 1n) {
      const leaf = await getSubtreeHash(0, seq)
      const path = await buildInclusionPath(getSubtreeHash, { seq, size })
      expect(isIncluded({ leaf, index: seq, size, root, path }), `${seq} of ${size}`).toBe(true)
    }
    for (let oldSize = 1n; oldSize <= size; oldSize += 7n) {
      const oldRoot = await hashRange(getSubtreeHash, 0n, oldSize)
      const path = await buildConsistencyPath(getSubtreeHash, { oldSize, size })
      expect(isConsistent({ oldSize, oldRoot, size, root, path }), `${oldSize}/${size}`).toBe(true)
    }
  }
})
