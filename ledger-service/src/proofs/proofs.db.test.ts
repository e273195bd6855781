import { createId } from '@cairn/ledger-contracts'
import { isConsistent, isIncluded } from '@cairn/ledger-contracts/proof'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestLedger, type TestLedger } from '../../test/support/test-ledger.ts'
import { runTraffic } from '../../test/support/traffic.ts'
import { append, computeRoot, EMPTY_FRONTIER } from '../log/merkle.ts'

const EVENTS = 1_500

let ledger: TestLedger
let leaves: Buffer[]
beforeAll(async () => {
  ledger = await startTestLedger()
  await runTraffic({ count: EVENTS, inFlight: 100 }, activateInvestor)
  const rows = await ledger.runSql<{ leaf_hash: Buffer }>(
    'select leaf_hash from ledger.event order by seq',
  )
  leaves = rows.map(({ leaf_hash }) => leaf_hash)
})
afterAll(() => ledger.close())

const sizes = [1n, 2n, 255n, 256n, 257n, 511n, 512n, 513n, 1_024n, 1_279n, 1_500n]

test('the root of any earlier size, from stored subtrees, equals that of the leaves', async () => {
  let frontier = EMPTY_FRONTIER
  for (const leaf of leaves) {
    frontier = append(frontier, leaf).frontier
    if (!sizes.includes(frontier.size)) continue
    const { root } = await ledger.ask('head', { size: frontier.size })
    expect(root).toBe(computeRoot(frontier).toString('hex'))
  }
  await expect(ledger.ask('head', { size: 1_501n })).rejects.toThrow('the log has 1500 events')
})

test('every event has an inclusion proof and every root a consistency proof', async () => {
  for (const size of sizes) {
    const root = Buffer.from((await ledger.ask('head', { size })).root, 'hex')
    for (const seq of [0n, size / 3n, size - 1n]) {
      const { path } = await ledger.ask('inclusion', { seq, size })
      const leaf = leaves[Number(seq)] ?? Buffer.alloc(0)
      const claim = { leaf, index: seq, size, root, path: path.map(decodeHex) }
      expect(isIncluded(claim)).toBe(true)
      expect(isIncluded({ ...claim, root: leaf })).toBe(size === 1n)
    }
    for (const oldSize of sizes.filter((old) => old <= size)) {
      const { path } = await ledger.ask('consistency', { oldSize, size })
      const oldRoot = Buffer.from((await ledger.ask('head', { size: oldSize })).root, 'hex')
      expect(isConsistent({ oldSize, oldRoot, size, root, path: path.map(decodeHex) })).toBe(true)
    }
  }
})

test('blocks cached before the tree grew are correct for later events', async () => {
  for (const count of [1, 36, 300]) {
    await runTraffic({ count, inFlight: 100 }, activateInvestor)
    const { size, root } = await ledger.ask('head', { size: null })
    const rows = await ledger.runSql<{ seq: string; leaf_hash: Buffer }>(
      'select seq, leaf_hash from ledger.event order by seq desc limit 300',
    )
    for (const { seq: digits, leaf_hash: leaf } of rows) {
      const seq = BigInt(digits)
      const { path } = await ledger.ask('inclusion', { seq, size })
      const claim = { leaf, index: seq, size, root: decodeHex(root), path: path.map(decodeHex) }
      expect(isIncluded(claim)).toBe(true)
    }
  }
})

function activateInvestor() {
  const investorId = createId(Date.now())
  return ledger.submit('ActivateInvestor', { investorId, referrerId: null })
}

function decodeHex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}
