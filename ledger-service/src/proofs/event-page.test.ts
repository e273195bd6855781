import { expect, test } from 'vitest'
import { type Envelope, encodeEnvelope, SCHEMA_VERSION } from '../log/envelope.ts'
import { findPostings } from './event-page.ts'

const RECORDED_AT = '2026-01-05T10:00:00.000Z'
const ENVELOPE: Envelope = {
  ledger: 1,
  seq: 7n,
  type: 'ReserveFunded',
  schemaVersion: SCHEMA_VERSION,
  actor: 'admin:ada',
  recordedAt: RECORDED_AT,
  effectiveAt: RECORDED_AT,
  control: null,
  linked: null,
  externalId: null,
  metadata: null,
  refusals: null,
  requestHash: 'a'.repeat(64),
  idempotencyHash: null,
  salt: 'b'.repeat(32),
  data: { note: null },
  postings: [{ account: 'reserve', amountMinor: 5n }],
}

function readPostings(envelope: Envelope, schemaVersion = SCHEMA_VERSION): string | null {
  const us = Date.parse(RECORDED_AT) * 1_000
  return findPostings({
    ...envelope,
    schemaVersion,
    recordedAtUs: us,
    effectiveAtUs: us,
    text: encodeEnvelope(envelope).toString('utf8'),
    leaf: Buffer.alloc(32),
    isHashed: true,
  })
}

test('plain events of the present version take the fast path, with and without a key', () => {
  const postings = '{"account":"reserve","amountMinor":"5"}'
  expect(readPostings(ENVELOPE)).toBe(postings)
  expect(readPostings({ ...ENVELOPE, idempotencyHash: 'c'.repeat(64) })).toBe(postings)
})

test('other events are left to the parser', () => {
  expect(readPostings(ENVELOPE, SCHEMA_VERSION - 1)).toBeNull()
  expect(readPostings({ ...ENVELOPE, externalId: 'pay-17' })).toBeNull()
  expect(readPostings({ ...ENVELOPE, metadata: { order: '17' } })).toBeNull()
  expect(readPostings({ ...ENVELOPE, linked: { index: 0, length: 2 } })).toBeNull()
  expect(readPostings({ ...ENVELOPE, control: { approvals: [], rulesVersion: 1 } })).toBeNull()
})
