import { expect, test } from 'vitest'
import {
  type Envelope,
  encodeEnvelope,
  hashImpliedRequest,
  SCHEMA_VERSION,
} from '../log/envelope.ts'
import { findPostings } from './checked-event.ts'

type Row = Parameters<typeof findPostings>[0]

const RECORDED_AT = '2026-01-05T10:00:00.000Z'
const ENVELOPE: Envelope = {
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
  requestHash: 'a'.repeat(43),
  idempotencyHash: null,
  salt: 'b'.repeat(22),
  data: { note: null },
  postings: [{ account: 'reserve', amountMinor: 5n }],
}

function readPostings(envelope: Envelope, row: Partial<Row> = {}): string | null {
  return findPostings({
    ...envelope,
    requestHash: envelope.requestHash ?? '',
    recordedAtUs: Date.parse(envelope.recordedAt) * 1_000,
    effectiveAtUs: Date.parse(envelope.effectiveAt) * 1_000,
    text: encodeEnvelope(envelope).toString('utf8'),
    leaf: Buffer.alloc(32),
    isHashed: true,
    ...row,
  })
}

test('plain events of the present version take the fast path, with and without a key', () => {
  const postings = '"reserve 5"'
  expect(readPostings(ENVELOPE)).toBe(postings)
  expect(readPostings({ ...ENVELOPE, idempotencyHash: 'c'.repeat(43) })).toBe(postings)
})

test('an accrual takes the fast path only if its content has the request hash of the column', () => {
  const investmentId = '01j00000000000000000'
  const envelope: Envelope = {
    ...ENVELOPE,
    type: 'ProfitAccrued',
    effectiveAt: '2026-01-04T10:00:00.000Z',
    requestHash: null,
    data: { investmentId, units: 3, investorId: 'ada', profitMinor: 5n, creditedMinor: 15n },
    postings: [
      { account: 'committed', amountMinor: -5n },
      { account: 'investor:ada:profit', amountMinor: 5n },
    ],
  }
  const requestHash = hashImpliedRequest('ProfitAccrued', { investmentId, units: 3 })
  expect(readPostings(envelope, { requestHash })).toBe('"committed > investor:ada:profit 5"')
  const other = hashImpliedRequest('ProfitAccrued', { investmentId, units: 4 })
  expect(readPostings(envelope, { requestHash: other })).toBeNull()
  expect(readPostings(envelope, { requestHash, effectiveAtUs: 0 })).toBeNull()
})

test('other events are left to the parser', () => {
  expect(readPostings(ENVELOPE, { schemaVersion: SCHEMA_VERSION - 1 })).toBeNull()
  expect(readPostings({ ...ENVELOPE, externalId: 'pay-17' })).toBeNull()
  expect(readPostings({ ...ENVELOPE, metadata: { order: '17' } })).toBeNull()
  expect(readPostings({ ...ENVELOPE, linked: { index: 0, length: 2 } })).toBeNull()
  expect(readPostings({ ...ENVELOPE, control: { approvals: [], rulesVersion: 1 } })).toBeNull()
})
