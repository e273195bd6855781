import {
  encodeUtf8,
  formatReceipt,
  hashLeaf,
  hashNode,
  toHex,
} from '@cairn/gateway-contracts/proof'
import { expect, test } from 'vitest'
import {
  formatVerifierKey,
  publicKey,
  signCheckpoint,
  VERIFIER_KEY,
} from '../../../testing/signed-log.ts'

import { checkSample } from './live-check.ts'

const EVENT = encodeUtf8(
  '{"data":{"planId":"a","terms":{"name":"Elite","profitPpm":"400000"}},"seq":"1","type":"PlanDefined"}',
)
const SIBLING = hashLeaf(encodeUtf8('the first event'))
const ROOT = hashNode(SIBLING, hashLeaf(EVENT))

/** The receipt of `EVENT`, the second of the two events of a log. */
function createReceipt(): string {
  const note = signCheckpoint(2, ROOT)
  return formatReceipt({ event: EVENT, index: 1n, path: [SIBLING], checkpoint: note })
}

const sample = { file: createReceipt(), verifierKeys: [VERIFIER_KEY] }

test('the sample leads from its record to the signed root', async () => {
  expect(await checkSample(sample, { isChanged: false })).toMatchObject({
    isRight: true,
    planName: 'Elite',
    seq: '1',
    size: 2n,
    hashes: [toHex(hashLeaf(EVENT)), toHex(ROOT)],
    signedRoot: toHex(ROOT),
  })
})

test('one changed character leads to another root', async () => {
  const verdict = await checkSample(sample, { isChanged: true })
  expect(verdict).toMatchObject({
    isRight: false,
    record: { character: '5' },
    reason: expect.stringContaining('its content or its proof was changed'),
  })
  expect(verdict.hashes?.at(-1)).not.toBe(toHex(ROOT))
})

test('a foreign key and a damaged file match nothing', async () => {
  const other = Uint8Array.from(publicKey, (byte, index) => (index === 0 ? byte ^ 1 : byte))
  const stranger = formatVerifierKey(other)
  for (const changed of [{ verifierKeys: [stranger] }, { verifierKeys: [] }, { file: 'hello' }]) {
    const verdict = await checkSample({ ...sample, ...changed }, { isChanged: false })
    expect(verdict).toMatchObject({ isRight: false, hashes: null })
  }
})
