import { formatCanonicalJson, toJson } from '@cairn/ledger-contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type Envelope,
  encodeEnvelope,
  getEventRequestHash,
  getRequestHash,
  hashIdempotencyKey,
  readEnvelope,
  readEvent,
  toEvent,
} from './envelope.ts'
import { hashLeaf } from './merkle.ts'
import { hashSha256 } from './sha256.ts'

const REQUEST = Buffer.alloc(32, 0xab).toString('base64url')
const KEY = Buffer.alloc(32, 0xcd).toString('base64url')
const REFUSALS = Buffer.alloc(32, 0xef).toString('base64url')

// These bytes must be readable forever. The hashes were computed independently, with `printf
// '\x00%s' "$BYTES" | sha256sum`.
const ENVELOPE: Envelope = {
  seq: 41n,
  type: 'WalletFunded',
  schemaVersion: 4,
  actor: 'admin:01j0000000000000000a',
  recordedAt: '2026-11-21T08:00:00.000Z',
  effectiveAt: '2026-11-20T23:59:59.999Z',
  control: null,
  linked: null,
  externalId: null,
  metadata: null,
  refusals: null,
  requestHash: REQUEST,
  idempotencyHash: KEY,
  salt: 'ASNFZ4mrze8BI0VniavN7w',
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
  '{"actor":"admin:01j0000000000000000a","at":"2026-11-21T08:00:00.000Z",' +
  '"data":{"amountMinor":"12500","category":null,' +
  '"investorId":"01j0000000000000000i","reason":"A \\"gift\\" – été",' +
  '"transactionId":"01j0000000000000000t","wallet":"balance"},' +
  `"effectiveAt":"2026-11-20T23:59:59.999Z","key":"${KEY}",` +
  '"postings":["adjustments > investor:01j0000000000000000i:balance 12500"],' +
  `"request":"${REQUEST}","salt":"ASNFZ4mrze8BI0VniavN7w","seq":"41",` +
  '"type":"WalletFunded","v":"4"}'
const LEAF = 'e766da8de48af834b2b20ae4fa278317ac0f93dfabf5014ed053b7a2b069746b'
const CONTROL = {
  approvals: [{ approver: 'admin:ada', approvedAt: '2026-11-21T07:59:00.000Z' }],
  rulesVersion: 4,
}
const APPROVED_BYTES = BYTES.replace(
  ',"data"',
  ',"control":{"approvals":[{"approvedAt":"2026-11-21T07:59:00.000Z","approver":"admin:ada"}],' +
    '"rulesVersion":"4"},"data"',
)
const APPROVED_LEAF = 'bc3193af7cf213fb7efc9d842148d492501acb4f5151d0e53fbd916dd956c286'
const LINKED = { index: 1, length: 3 }
const LINKED_BYTES = BYTES.replace(',"postings"', ',"linked":{"index":"1","length":"3"},"postings"')
const LINKED_LEAF = '15602798833e3a65ed0a35b4654eeee526900d18ad64f4fb25e46e912f04837b'
const METADATA = { order: '2026/17', 'batch.no': 'ü' }
const NAMED_BYTES = BYTES.replace(',"key"', ',"externalId":"pay-17","key"').replace(
  ',"postings"',
  ',"metadata":{"batch.no":"ü","order":"2026/17"},"postings"',
)
const NAMED_LEAF = 'd7fd9c63fa98d98d799db869274b851d610c49e2d4de587b062a4e07676e096f'
const RECORDED = {
  seq: 41n,
  type: 'WalletFunded',
  schemaVersion: 4,
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
  expect(bytes.toString('utf8')).not.toContain('"key"')
  expect(readEnvelope(bytes).idempotencyHash).toBeNull()
})

test('the longest usual accrual has at most 350 bytes and is read as it was recorded', () => {
  const investorId = '01kjma3ccrn1b0xpqm09'
  const profitMinor = 1_234_567_890n
  const data = { investmentId: '01m8a43g417dvjpn3nmv', units: 999, creditedMinor: 9_876_543_210n }
  const accrual: Envelope = {
    ...ENVELOPE,
    seq: 999_999_999n,
    type: 'ProfitAccrued',
    actor: 'system:accruals',
    requestHash: null,
    idempotencyHash: null,
    data: { ...data, investorId, profitMinor },
    postings: [
      { account: 'committed', amountMinor: -profitMinor },
      { account: `investor:${investorId}:profit`, amountMinor: profitMinor },
    ],
  }
  const bytes = encodeEnvelope(accrual)
  expect(bytes.length).toBeLessThanOrEqual(350)
  const read = readEnvelope(bytes)
  expect(JSON.stringify(read.data)).toBe(
    '{"investorId":"01kjma3ccrn1b0xpqm09","profitMinor":"1234567890",' +
      '"creditedMinor":"9876543210","investmentId":"01m8a43g417dvjpn3nmv","units":"999"}',
  )
  expect(getEventRequestHash(read)).toBe(
    getRequestHash({
      type: 'AccrueThrough',
      data: { investmentId: data.investmentId, units: 999 },
      actor: 'system:accruals',
      key: null,
      requestId: null,
      effectiveAt: null,
    }).toString('base64url'),
  )
})

test('an event of another type must have a request hash', () => {
  const bytes = encodeEnvelope({ ...ENVELOPE, requestHash: null })
  expect(() => getEventRequestHash(readEnvelope(bytes))).toThrow(
    'an event WalletFunded must have a request hash',
  )
})

test('is read from its bytes as it was recorded', () => {
  expect(readEvent(Buffer.from(BYTES))).toEqual(RECORDED)
  expect(readEvent(Buffer.from(APPROVED_BYTES))).toEqual({ ...RECORDED, control: CONTROL })
  expect(readEvent(Buffer.from(LINKED_BYTES))).toEqual({ ...RECORDED, linked: LINKED })
  const named = { ...RECORDED, externalId: 'pay-17', metadata: METADATA }
  expect(readEvent(Buffer.from(NAMED_BYTES))).toEqual(named)
  expect(readEnvelope(Buffer.from(BYTES)).idempotencyHash).toBe(KEY)
  const unknown = Buffer.from(BYTES.replace('"v":"4"', '"v":"3"'))
  expect(() => readEvent(unknown)).toThrow('unknown schema version 3')
})

test('is canonical for any actor, data and accounts, and read as it was written', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\u0000'))
  const code = fc.stringMatching(/^[\w:.@/-]+$/)
  const amountMinor = fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }).filter((it) => it !== 0n)
  const move = fc.tuple(code, code, amountMinor).map(([from, to, minor]) => [
    { account: from, amountMinor: -minor },
    { account: to, amountMinor: minor },
  ])
  const single = fc.record({ account: code, amountMinor }).map((posting) => [posting])
  const odd = fc.record({
    actor: text,
    type: text,
    seq: fc.bigInt(),
    data: fc.dictionary(text, text),
    effectiveAt: fc.constantFrom(ENVELOPE.recordedAt, ENVELOPE.effectiveAt),
    postings: fc.array(fc.oneof(move, single)).map((groups) => groups.flat()),
    idempotencyHash: fc.constantFrom(null, KEY),
    control: fc.constantFrom(null, CONTROL),
    refusals: fc.constantFrom(null, REFUSALS),
    linked: fc.constantFrom(null, LINKED),
    externalId: fc.option(text),
    metadata: fc.option(fc.dictionary(text, text)),
  })
  fc.assert(
    fc.property(odd, (members) => {
      const envelope = { ...ENVELOPE, ...members }
      const bytes = encodeEnvelope(envelope)
      const stored: unknown = JSON.parse(bytes.toString('utf8'))
      expect(formatCanonicalJson(stored)).toBe(bytes.toString('utf8'))
      const { salt: _, ...written } = envelope
      const control = CONTROL === envelope.control ? CONTROL : null
      expect(readEnvelope(bytes)).toEqual({ ...written, control })
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
  expect(hash).toEqual(hashSha256(formatCanonicalJson({ type, data, effectiveAt })))
  expect(getRequestHash({ ...command, key: 'b', requestId: 'r', actor: 'user:x' })).toEqual(hash)
  const other = { ...data, referrerId: '01j0000000000000000r' }
  expect(getRequestHash({ ...command, data: other })).not.toEqual(hash)
  expect(getRequestHash({ ...command, effectiveAt: '2026-01-01T00:00:00.000Z' })).not.toEqual(hash)
  expect(getRequestHash({ ...command, externalId: null, metadata: null })).toEqual(hash)
  const named = { ...command, externalId: 'pay-17' }
  expect(getRequestHash(named)).toEqual(
    hashSha256(formatCanonicalJson({ type, data, effectiveAt, externalId: 'pay-17' })),
  )
  expect(getRequestHash({ ...named, metadata: METADATA })).toEqual(
    hashSha256(
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
