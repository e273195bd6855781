import {
  encodeUtf8,
  formatReceipt,
  hashLeaf,
  hashNode,
  toBase64,
} from '@cairn/gateway-contracts/proof'
import { expect, test } from 'vitest'
import {
  formatVerifierKey,
  LOG_NAME,
  signCheckpoint,
  signFork,
  VERIFIER_KEY,
} from '../../../testing/signed-log.ts'

import { verifyFile } from './verify-file.ts'

const EVENT = {
  seq: '1',
  type: 'DepositApproved',
  at: '2026-11-21T10:00:00.000Z',
  postings: ['cash:a > investor:b:balance 25000'],
}

/** Returns the receipt of `event`, the second of the two events of a log. */
function createReceipt(event: object): string {
  const bytes = encodeUtf8(JSON.stringify(event))
  const sibling = hashLeaf(encodeUtf8('the first event'))
  const note = signCheckpoint(2, hashNode(sibling, hashLeaf(bytes)))
  return formatReceipt({ event: bytes, index: 1n, path: [sibling], checkpoint: note })
}

test('a valid receipt shows the event of the log', async () => {
  const verdict = await verifyFile(createReceipt(EVENT), [VERIFIER_KEY])
  expect(verdict).toMatchObject({
    isRight: true,
    facts: { seq: '1', size: '2', origin: LOG_NAME, type: 'DepositApproved' },
  })
  expect(verdict.isRight && verdict.facts.postings).toEqual([
    { account: 'cash:a', amountMinor: -25_000n },
    { account: 'investor:b:balance', amountMinor: 25_000n },
  ])
})

test('the receipt of an event that a restore has lost verifies and says so', async () => {
  const at = '2026-11-25T10:00:00.000Z'
  const readLoss = async (...keys: string[]) => {
    const verdict = await verifyFile(createReceipt(EVENT), keys)
    return verdict.isRight ? verdict.facts.lostAt : verdict.reason
  }
  expect(await readLoss(VERIFIER_KEY, signFork({ size: 1n, lostSize: 2n, at }))).toBe(at)
  expect(await readLoss(VERIFIER_KEY, signFork({ size: 2n, lostSize: 9n, at }))).toBeNull()
  expect(await readLoss(VERIFIER_KEY, signFork({ size: 0n, lostSize: 1n, at }))).toContain(
    'was replaced after 1 events',
  )
})

test('line endings of another system are accepted', async () => {
  const file = createReceipt(EVENT).replaceAll('\n', '\r\n')
  expect(await verifyFile(file, [VERIFIER_KEY])).toMatchObject({ isRight: true })
})

test('a changed cent, a foreign key and another file have different reasons', async () => {
  const file = createReceipt(EVENT)
  const line = file.split('\n')[1] ?? ''
  const richer = toBase64(encodeUtf8(JSON.stringify(EVENT).replace(' 25000"', ' 25001"')))
  expect(await verifyFile(file.replace(line, `extra ${richer}`), [VERIFIER_KEY])).toMatchObject({
    isRight: false,
    reason: expect.stringContaining('its content or its proof was changed'),
  })
  const other = new Uint8Array(32)
  const stranger = formatVerifierKey(other)
  expect(await verifyFile(file, [stranger])).toMatchObject({ isRight: false })
  expect(await verifyFile('hello', [VERIFIER_KEY])).toMatchObject({
    isRight: false,
    reason: 'this is not a receipt of the ledger',
  })
  expect(await verifyFile('x'.repeat(1_000_001), [VERIFIER_KEY])).toMatchObject({ isRight: false })
})
