import { encodeUtf8, hashLeaf, hashNode, toHex } from '@cairn/gateway-contracts/proof'
import { expect, test } from 'vitest'
import { formatVerifierKey, signCheckpoint, VERIFIER_KEY } from '../../../testing/signed-log.ts'

import { type SignedHead, verifyConsistency } from './consistency.ts'

const [a, b, c] = ['one', 'two', 'three'].map((text) => hashLeaf(encodeUtf8(text)))
if (a === undefined || b === undefined || c === undefined) throw new Error('three leaves')

function createHead(size: number, root: Uint8Array): SignedHead {
  const note = signCheckpoint(size, root)
  return { size: String(size), root: toHex(root), note }
}

const earlier = createHead(2, hashNode(a, b))
const later = createHead(3, hashNode(hashNode(a, b), c))
const trust = (offered: readonly string[]) => offered
const claim = { earlier, later, path: [toHex(c)], verifierKeys: [VERIFIER_KEY], trust }

test('an append-only log is consistent, also with itself', async () => {
  expect(await verifyConsistency(claim)).toEqual({ isConsistent: true })
  expect(await verifyConsistency({ ...claim, earlier: later, path: [] })).toEqual({
    isConsistent: true,
  })
})

test('a log with a changed past is not consistent, and the sizes are named', async () => {
  const rewritten = createHead(3, hashNode(hashNode(b, a), c))
  expect(await verifyConsistency({ ...claim, later: rewritten })).toEqual({
    isConsistent: false,
    reason: 'the ledger of 3 events does not begin with the ledger of 2 events',
  })
  expect(await verifyConsistency({ ...claim, path: [toHex(a)] })).toMatchObject({
    isConsistent: false,
  })
})

test('an unsigned root, a foreign key and an invalid path are not a proof', async () => {
  const painted = { ...later, root: toHex(a) }
  expect(await verifyConsistency({ ...claim, later: painted })).toMatchObject({
    isConsistent: false,
    reason: 'a root on this page differs from the signed root',
  })
  const enlarged = { ...later, size: '1000' }
  expect(await verifyConsistency({ ...claim, later: enlarged })).toMatchObject({
    isConsistent: false,
    reason: 'a size on this page differs from the signed size',
  })
  const other = new Uint8Array(32)
  const stranger = formatVerifierKey(other)
  expect(await verifyConsistency({ ...claim, verifierKeys: [stranger] })).toMatchObject({
    isConsistent: false,
  })
  const forged = { ...later, note: later.note.replace('\n3\n', '\n4\n') }
  expect(await verifyConsistency({ ...claim, later: forged })).toMatchObject({
    isConsistent: false,
  })
  expect(await verifyConsistency({ ...claim, path: ['zz'] })).toMatchObject({
    isConsistent: false,
    reason: 'the path is malformed',
  })
})
