import type { LogEvent } from '@cairn/gateway-contracts'
import {
  encodeUtf8,
  formatReceipt,
  hashLeaf,
  hashNode,
  toBase64,
  toHex,
} from '@cairn/gateway-contracts/proof'
import { expect, test } from 'vitest'
import { signCheckpoint, VERIFIER_KEY } from '../../../testing/signed-log.ts'

import { computeProofPath, countProofHashes } from '../verify/index.ts'
import { verifyEventProof } from './event-proof.ts'

const SIZE = 7
const ACCOUNT = 'investor:01jd8x4zq3kr5v7w9yab:balance'
const AT = '2026-11-25T12:00:00.000Z'
const REASON = `private-text:${'0a'.repeat(32)}`
const EVENTS = Array.from({ length: SIZE }, (_, seq) =>
  encodeUtf8(
    JSON.stringify({
      actor: 'admin:01jd8x4zq3kr5v7w9yac',
      at: AT,
      data: { amountMinor: '12500', reason: REASON, wallet: 'balance' },
      postings: [`marketing > ${ACCOUNT} 12500`],
      seq: String(seq),
      type: 'WalletFunded',
      v: '4',
    }),
  ),
)

/** An event as the page shows it. */
function createShown(seq: number): LogEvent {
  const bytes = EVENTS[seq]
  if (bytes === undefined) throw new Error('no such event')
  return {
    seq: String(seq),
    type: 'WalletFunded',
    schemaVersion: 4,
    actor: 'admin:01jd8x4zq3kr5v7w9yac',
    recordedAt: AT,
    effectiveAt: AT,
    linked: null,
    externalId: null,
    metadata: null,
    data: { wallet: 'balance', amountMinor: '12500', reason: 'A gift' },
    postings: [
      { account: 'marketing', amount: -125 },
      { account: ACCOUNT, amount: 125 },
    ],
    leafHash: toHex(hashLeaf(bytes)),
  }
}

/** Computes the tree hash with the recursive definition of RFC 6962 section 2.1. */
function hashTree(leaves: readonly Uint8Array[]): Uint8Array {
  const [first, ...rest] = leaves
  if (first === undefined) throw new Error('no leaves')
  if (rest.length === 0) return hashLeaf(first)
  const half = computeSplit(leaves.length)
  return hashNode(hashTree(leaves.slice(0, half)), hashTree(leaves.slice(half)))
}

function computePath(index: number, leaves: readonly Uint8Array[]): Uint8Array[] {
  if (leaves.length === 1) return []
  const half = computeSplit(leaves.length)
  const [left, right] = [leaves.slice(0, half), leaves.slice(half)]
  return index < half
    ? [...computePath(index, left), hashTree(right)]
    : [...computePath(index - half, right), hashTree(left)]
}

function computeSplit(size: number): number {
  let half = 1
  while (half * 2 < size) half *= 2
  return half
}

function createReceipt(index: number): string {
  const event = EVENTS[index]
  if (event === undefined) throw new Error('no such event')
  const checkpoint = signCheckpoint(SIZE, hashTree(EVENTS))
  return formatReceipt({
    event,
    index: BigInt(index),
    path: computePath(index, EVENTS),
    checkpoint,
  })
}

const createProof = (index: number) => ({
  event: createShown(index),
  bytes: new TextDecoder().decode(EVENTS[index]),
  receipt: createReceipt(index),
  verifierKeys: [VERIFIER_KEY],
  trust: (offered: readonly string[]) => offered,
})

test('the drawn path of each event ends at the signed root', () => {
  const root = toHex(hashTree(EVENTS))
  for (let index = 0; index < SIZE; index += 1) {
    const { steps } = computeProofPath(createReceipt(index), BigInt(SIZE))
    expect(steps.at(-1)?.result).toBe(root)
    expect(countProofHashes(createReceipt(index))).toBe(steps.length)
  }
  expect(countProofHashes('no receipt')).toBe(0)
})

test('a receipt proves only the event that is shown', async () => {
  expect(await verifyEventProof(createProof(4))).toMatchObject({ isProved: true, size: 7n })
  expect(await verifyEventProof({ ...createProof(4), bytes: '{"seq":"4","type":"Tset"}' })).toEqual(
    {
      isProved: false,
      reason: 'event 4 on this page differs from the event in its receipt',
    },
  )
  expect(await verifyEventProof({ ...createProof(4), event: createShown(5) })).toMatchObject({
    isProved: false,
  })
  expect(await verifyEventProof({ ...createProof(4), receipt: 'nothing' })).toMatchObject({
    isProved: false,
  })
})

test('a changed event in a receipt is named', async () => {
  const proof = createProof(4)
  const changed = '{"seq":"4","type":"Tset"}'
  const receipt = proof.receipt.replace(
    toBase64(encodeUtf8(proof.bytes)),
    toBase64(encodeUtf8(changed)),
  )
  const verdict = await verifyEventProof({ ...proof, bytes: changed, receipt })
  expect(verdict).toMatchObject({ isProved: false, reason: expect.stringContaining('event 4') })
})

const { data, postings } = createShown(4)
const [debit, credit] = postings
const CHANGED: readonly (readonly [name: string, shown: Partial<LogEvent>])[] = [
  ['type', { type: 'WalletDefunded' }],
  ['actor', { actor: 'admin:01jd8x4zq3kr5v7w9yad' }],
  ['time', { recordedAt: '2026-11-24T12:00:00.000Z' }],
  ['effective time', { effectiveAt: '2026-11-24T12:00:00.000Z' }],
  ['place', { linked: { index: 0, length: 2 } }],
  ['external id', { externalId: 'bank-7' }],
  ['metadata', { metadata: { note: 'x' } }],
  ['data', { data: { ...data, amountMinor: '12500000' } }],
  ['data', { data: { ...data, note: 'added' } }],
  ['data', { data: { amountMinor: '12500', reason: 'A gift' } }],
  ['postings', { postings: [debit, { account: ACCOUNT, amount: 125_000 }] as never }],
  ['postings', { postings: [debit, credit, credit] as never }],
  ['hash', { leafHash: '00'.repeat(32) }],
]

test.for(CHANGED)(
  'a server that shows another %s beside a genuine receipt is named',
  async ([name, shown]) => {
    const event = { ...createShown(4), ...shown }
    expect(await verifyEventProof({ ...createProof(4), event })).toEqual({
      isProved: false,
      reason: `the ${name} of event 4 on this page differs from its raw record`,
    })
  },
)
