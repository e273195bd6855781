import { toJson } from '@cairn/ledger-contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from './canonical.ts'
import {
  type Envelope,
  encodeEnvelope,
  eventOf,
  idempotencyHashOf,
  readEnvelope,
  readEvent,
  requestHashOf,
} from './envelope.ts'
import { leafHash } from './merkle.ts'
import { sha256 } from './sha256.ts'

// Frozen formats: stored bytes must always be read in the same way. The hashes were checked with
// `printf '\x00%s' "$BYTES" | sha256sum`.
const ENVELOPE: Envelope = {
  ledger: 1,
  seq: 41n,
  type: 'WalletFunded',
  schemaVersion: 2,
  actor: 'admin:01j0000000000000000a',
  recordedAt: '2026-11-21T08:00:00.000Z',
  effectiveAt: '2026-11-20T23:59:59.999Z',
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
const VERSION_1 =
  '{"actor":"admin:01j0000000000000000a","data":{"amountMinor":"12500","category":null,' +
  '"investorId":"01j0000000000000000i","reason":"A \\"gift\\" – été",' +
  '"transactionId":"01j0000000000000000t","wallet":"balance"},' +
  '"effectiveAt":"2026-11-20T23:59:59.999Z","ledger":"1","postings":[{"account":"adjustments",' +
  '"amountMinor":"-12500"},{"account":"investor:01j0000000000000000i:balance",' +
  '"amountMinor":"12500"}],"recordedAt":"2026-11-21T08:00:00.000Z","requestHash":"' +
  `${'ab'.repeat(32)}","salt":"0123456789abcdef0123456789abcdef","schemaVersion":"1","seq":"41",` +
  '"type":"WalletFunded"}'
const LEAF_1 = '1421fa58ae24f38b9df1113d99f851e2f1383bd35397373ed623b787dcf6e98a'
const VERSION_2 = VERSION_1.replace('"schemaVersion":"1"', '"schemaVersion":"2"').replace(
  '"ledger":"1"',
  `"idempotencyHash":"${'cd'.repeat(32)}","ledger":"1"`,
)
const LEAF_2 = '6b8a81c91c2eef6e4739d9227fb5a0889041439aca1d76bbb4f808291186b078'
const RECORDED = {
  seq: 41n,
  type: 'WalletFunded',
  actor: ENVELOPE.actor,
  recordedAt: ENVELOPE.recordedAt,
  effectiveAt: ENVELOPE.effectiveAt,
  data: { ...ENVELOPE.data, amountMinor: '12500' },
  postings: ENVELOPE.postings,
}

test('an event has these bytes and this leaf hash', () => {
  const bytes = encodeEnvelope(ENVELOPE)
  expect(bytes.toString('utf8')).toBe(VERSION_2)
  expect(leafHash(bytes).toString('hex')).toBe(LEAF_2)
  expect(leafHash(Buffer.from(VERSION_1)).toString('hex')).toBe(LEAF_1)
})

test('an event without a key says so', () => {
  const bytes = encodeEnvelope({ ...ENVELOPE, idempotencyHash: null })
  expect(bytes.toString('utf8')).toContain('"idempotencyHash":null,"ledger"')
  expect(readEnvelope(bytes).idempotencyHash).toBeNull()
})

test('reads back from its bytes as what was recorded, in every version', () => {
  expect(readEvent(Buffer.from(VERSION_1))).toEqual({ ...RECORDED, schemaVersion: 1 })
  expect(readEvent(Buffer.from(VERSION_2))).toEqual({ ...RECORDED, schemaVersion: 2 })
  expect(readEnvelope(Buffer.from(VERSION_1)).idempotencyHash).toBeUndefined()
  expect(readEnvelope(Buffer.from(VERSION_2)).idempotencyHash).toBe('cd'.repeat(32))
  const unknown = Buffer.from(VERSION_1.replace('"schemaVersion":"1"', '"schemaVersion":"3"'))
  expect(() => readEvent(unknown)).toThrow('unknown schema version 3')
})

test('is canonical, whatever the actor, the data and the accounts are', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\u0000'))
  const posting = fc.record({ account: text, amountMinor: fc.bigInt() })
  const odd = fc.record({
    actor: text,
    type: text,
    seq: fc.bigInt(),
    data: fc.dictionary(text, text),
    postings: fc.array(posting),
    idempotencyHash: fc.constantFrom(null, 'cd'.repeat(32)),
  })
  fc.assert(
    fc.property(odd, (members) => {
      const envelope = { ...ENVELOPE, ...members }
      expect(encodeEnvelope(envelope).toString('utf8')).toBe(canonicalJson(envelope))
    }),
  )
})

test('the first answer says the same, member by member, as the bytes do ever after', () => {
  expect(toJson(eventOf(ENVELOPE))).toBe(toJson(readEvent(encodeEnvelope(ENVELOPE))))
})

test('the same content has the same request hash whatever its key, another content another', () => {
  const data = { investorId: '01j0000000000000000i', referrerId: null }
  const command = {
    type: 'ActivateInvestor',
    data,
    actor: 'system:test',
    key: 'a',
    requestId: null,
    effectiveAt: null,
  } as const
  const hash = requestHashOf(command)
  const { type, effectiveAt } = command
  expect(hash).toEqual(sha256(canonicalJson({ type, data, effectiveAt })))
  expect(requestHashOf({ ...command, key: 'b', requestId: 'r', actor: 'user:x' })).toEqual(hash)
  const other = { ...data, referrerId: '01j0000000000000000r' }
  expect(requestHashOf({ ...command, data: other })).not.toEqual(hash)
  expect(requestHashOf({ ...command, effectiveAt: '2026-01-01T00:00:00.000Z' })).not.toEqual(hash)
})

test('a key is its actor’s own, and the two cannot be mixed up', () => {
  const hash = (actor: string, key: string) =>
    idempotencyHashOf({
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
