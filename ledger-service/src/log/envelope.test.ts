import { formatCanonicalJson, toJson } from '@cairn/ledger-contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Envelope,
  encodeEnvelope,
  getRequestHash,
  hashIdempotencyKey,
  readEnvelope,
  readEvent,
  toEvent,
} from './envelope.ts'
import { hashLeaf } from './merkle.ts'
import { sha256 } from './sha256.ts'

// These bytes must be readable forever. The hashes were computed independently, with `printf
// '\x00%s' "$BYTES" | sha256sum`.
const ENVELOPE: Envelope = {
  ledger: 1,
  seq: 41n,
  type: 'WalletFunded',
  schemaVersion: 3,
  actor: 'admin:01j0000000000000000a',
  recordedAt: '2026-11-21T08:00:00.000Z',
  effectiveAt: '2026-11-20T23:59:59.999Z',
  control: null,
  linked: null,
  externalId: null,
  metadata: null,
  refusals: null,
  requestHash: 'ab'.repeat(32),
  idempotencyHash: 'cd'.repeat(32),
  salt: '0123456789abcdef0123456789abcdef',
  data: {
    transactionId: '01j0000000000000000t',
    investorId: '01j0000000000000000i',
    wallet: 'balance',
    amountMinor: 12_500n,
    category: null,
    reason: 'A "gift" – été',
  },
  postings: [
    { account: 'adjustments', amountMinor: -12_500n },
    { account: 'investor:01j0000000000000000i:balance', amountMinor: 12_500n },
  ],
}
const BYTES =
  '{"actor":"admin:01j0000000000000000a","data":{"amountMinor":"12500","category":null,' +
  '"investorId":"01j0000000000000000i","reason":"A \\"gift\\" – été",' +
  '"transactionId":"01j0000000000000000t","wallet":"balance"},' +
  `"effectiveAt":"2026-11-20T23:59:59.999Z","idempotencyHash":"${'cd'.repeat(32)}","ledger":"1",` +
  '"postings":[{"account":"adjustments","amountMinor":"-12500"},' +
  '{"account":"investor:01j0000000000000000i:balance","amountMinor":"12500"}],' +
  `"recordedAt":"2026-11-21T08:00:00.000Z","requestHash":"${'ab'.repeat(32)}",` +
  '"salt":"0123456789abcdef0123456789abcdef","schemaVersion":"3","seq":"41",' +
  '"type":"WalletFunded"}'
const LEAF = 'd4b13c0d4d6b6ae7d9bee257792393a4d66a724fa31686d31d6246599bfbc02a'
const CONTROL = {
  approvals: [{ approver: 'admin:ada', approvedAt: '2026-11-21T07:59:00.000Z' }],
  rulesVersion: 4,
}
const APPROVED_BYTES = BYTES.replace(
  ',"data"',
  ',"control":{"approvals":[{"approvedAt":"2026-11-21T07:59:00.000Z","approver":"admin:ada"}],' +
    '"rulesVersion":"4"},"data"',
)
const APPROVED_LEAF = '19204c6d142db45349fb0e32fa7fe6e35112a3a68cedfdf0f9ac1e685cc110e9'
const LINKED = { index: 1, length: 3 }
const LINKED_BYTES = BYTES.replace(',"postings"', ',"linked":{"index":"1","length":"3"},"postings"')
const LINKED_LEAF = '4b87661f9be9a627f4e492adb4938024c0c0d9bf2fc0939c5078d09de6badf86'
const METADATA = { order: '2026/17', 'batch.no': 'ü' }
const NAMED_BYTES = BYTES.replace(
  ',"idempotencyHash"',
  ',"externalId":"pay-17","idempotencyHash"',
).replace(',"postings"', ',"metadata":{"batch.no":"ü","order":"2026/17"},"postings"')
const NAMED_LEAF = '2b076e2f4fde79d80fc53ef4b612c058caa8e466d4db697ca79f594d927c2025'
const RECORDED = {
  seq: 41n,
  type: 'WalletFunded',
  schemaVersion: 3,
  actor: ENVELOPE.actor,
  recordedAt: ENVELOPE.recordedAt,
  effectiveAt: ENVELOPE.effectiveAt,
  control: null,
  linked: null,
  externalId: null,
  metadata: null,
  data: { ...ENVELOPE.data, amountMinor: '12500' },
  postings: ENVELOPE.postings,
}

test('an event has these bytes and this leaf hash', () => {
  const bytes = encodeEnvelope(ENVELOPE)
  expect(bytes.toString('utf8')).toBe(BYTES)
  expect(hashLeaf(bytes).toString('hex')).toBe(LEAF)
})

test('an event that needs approvers names them and the rules in force', () => {
  const bytes = encodeEnvelope({ ...ENVELOPE, control: CONTROL })
  expect(bytes.toString('utf8')).toBe(APPROVED_BYTES)
  expect(hashLeaf(bytes).toString('hex')).toBe(APPROVED_LEAF)
})

test('an event of a linked command has its place in the group', () => {
  const bytes = encodeEnvelope({ ...ENVELOPE, linked: LINKED })
  expect(bytes.toString('utf8')).toBe(LINKED_BYTES)
  expect(hashLeaf(bytes).toString('hex')).toBe(LINKED_LEAF)
})

test('an event has the external id and the metadata of its command', () => {
  const bytes = encodeEnvelope({ ...ENVELOPE, externalId: 'pay-17', metadata: METADATA })
  expect(bytes.toString('utf8')).toBe(NAMED_BYTES)
  expect(hashLeaf(bytes).toString('hex')).toBe(NAMED_LEAF)
})

test('an event without a key has no key hash', () => {
  const bytes = encodeEnvelope({ ...ENVELOPE, idempotencyHash: null })
  expect(bytes.toString('utf8')).toContain('"idempotencyHash":null,"ledger"')
  expect(readEnvelope(bytes).idempotencyHash).toBeNull()
})

test('is read from its bytes as it was recorded', () => {
  expect(readEvent(Buffer.from(BYTES))).toEqual(RECORDED)
  expect(readEvent(Buffer.from(APPROVED_BYTES))).toEqual({ ...RECORDED, control: CONTROL })
  expect(readEvent(Buffer.from(LINKED_BYTES))).toEqual({ ...RECORDED, linked: LINKED })
  const named = { ...RECORDED, externalId: 'pay-17', metadata: METADATA }
  expect(readEvent(Buffer.from(NAMED_BYTES))).toEqual(named)
  expect(readEnvelope(Buffer.from(BYTES)).idempotencyHash).toBe('cd'.repeat(32))
  const unknown = Buffer.from(BYTES.replace('"schemaVersion":"3"', '"schemaVersion":"2"'))
  expect(() => readEvent(unknown)).toThrow('unknown schema version 2')
})

test('is canonical for any actor, data and accounts', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\u0000'))
  const posting = fc.record({ account: text, amountMinor: fc.bigInt() })
  const odd = fc.record({
    actor: text,
    type: text,
    seq: fc.bigInt(),
    data: fc.dictionary(text, text),
    postings: fc.array(posting),
    idempotencyHash: fc.constantFrom(null, 'cd'.repeat(32)),
    control: fc.constantFrom(null, CONTROL),
    refusals: fc.constantFrom(null, 'ef'.repeat(32)),
    linked: fc.constantFrom(null, LINKED),
    externalId: fc.option(text),
    metadata: fc.option(fc.dictionary(text, text)),
  })
  fc.assert(
    fc.property(odd, (members) => {
      const envelope = { ...ENVELOPE, ...members }
      const { control, refusals, linked, externalId, metadata, ...rest } = envelope
      const written = {
        ...rest,
        ...(control !== null && { control }),
        ...(refusals !== null && { refusals }),
        ...(linked !== null && { linked }),
        ...(externalId !== null && { externalId }),
        ...(metadata !== null && { metadata }),
      }
      expect(encodeEnvelope(envelope).toString('utf8')).toBe(formatCanonicalJson(written))
    }),
  )
})

test('the first answer has the same members as the event read from the bytes', () => {
  for (const [control, linked] of [
    [null, null],
    [CONTROL, LINKED],
  ] as const) {
    const metadata = linked === null ? null : METADATA
    const envelope = { ...ENVELOPE, control, linked, externalId: 'pay-17', metadata }
    expect(toJson(toEvent(envelope))).toBe(toJson(readEvent(encodeEnvelope(envelope))))
  }
})

test('the request hash depends on the content and not on the key', () => {
  const data = { investorId: '01j0000000000000000i', referrerId: null }
  const command = {
    type: 'ActivateInvestor',
    data,
    actor: 'system:test',
    key: 'a',
    requestId: null,
    effectiveAt: null,
  } as const
  const hash = getRequestHash(command)
  const { type, effectiveAt } = command
  expect(hash).toEqual(sha256(formatCanonicalJson({ type, data, effectiveAt })))
  expect(getRequestHash({ ...command, key: 'b', requestId: 'r', actor: 'user:x' })).toEqual(hash)
  const other = { ...data, referrerId: '01j0000000000000000r' }
  expect(getRequestHash({ ...command, data: other })).not.toEqual(hash)
  expect(getRequestHash({ ...command, effectiveAt: '2026-01-01T00:00:00.000Z' })).not.toEqual(hash)
  expect(getRequestHash({ ...command, externalId: null, metadata: null })).toEqual(hash)
  const named = { ...command, externalId: 'pay-17' }
  expect(getRequestHash(named)).toEqual(
    sha256(formatCanonicalJson({ type, data, effectiveAt, externalId: 'pay-17' })),
  )
  expect(getRequestHash({ ...named, metadata: METADATA })).toEqual(
    sha256(
      formatCanonicalJson({ type, data, effectiveAt, externalId: 'pay-17', metadata: METADATA }),
    ),
  )
})

test('the hash of a key depends on its actor, without collisions of actor and key', () => {
  const hash = (actor: string, key: string) =>
    hashIdempotencyKey({
      type: 'CloseInvestor',
      data: { investorId: '01j0000000000000000i' },
      actor,
      key,
      requestId: null,
      effectiveAt: null,
    })
  expect(hash('user:a', 'k')).not.toEqual(hash('user:b', 'k'))
  expect(hash('user:a', 'bk')).not.toEqual(hash('user:ab', 'k'))
})
