import { toJson } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import {
  type Envelope,
  encodeEnvelope,
  eventOf,
  idempotencyHashOf,
  readEvent,
  requestHashOf,
} from './envelope.ts'
import { leafHash } from './merkle.ts'

// The format of version 1, for ever: bytes that a log holds must never be read otherwise. Checked
// by hand with `printf '\x00%s' "$BYTES" | sha256sum`.
const ENVELOPE: Envelope = {
  ledger: 1,
  seq: 41n,
  type: 'WalletFunded',
  schemaVersion: 1,
  actor: 'admin:01j0000000000000000a',
  recordedAt: '2026-11-21T08:00:00.000Z',
  effectiveAt: '2026-11-20T23:59:59.999Z',
  requestHash: 'ab'.repeat(32),
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
  '"effectiveAt":"2026-11-20T23:59:59.999Z","ledger":"1","postings":[{"account":"adjustments",' +
  '"amountMinor":"-12500"},{"account":"investor:01j0000000000000000i:balance",' +
  '"amountMinor":"12500"}],"recordedAt":"2026-11-21T08:00:00.000Z","requestHash":"' +
  `${'ab'.repeat(32)}","salt":"0123456789abcdef0123456789abcdef","schemaVersion":"1","seq":"41",` +
  '"type":"WalletFunded"}'
const LEAF = '1421fa58ae24f38b9df1113d99f851e2f1383bd35397373ed623b787dcf6e98a'

test('an event has these bytes and this leaf hash', () => {
  const bytes = encodeEnvelope(ENVELOPE)
  expect(bytes.toString('utf8')).toBe(BYTES)
  expect(leafHash(bytes).toString('hex')).toBe(LEAF)
})

test('reads back from its bytes as what was recorded', () => {
  expect(readEvent(Buffer.from(BYTES))).toEqual({
    seq: 41n,
    type: 'WalletFunded',
    schemaVersion: 1,
    actor: ENVELOPE.actor,
    recordedAt: ENVELOPE.recordedAt,
    effectiveAt: ENVELOPE.effectiveAt,
    data: { ...ENVELOPE.data, amountMinor: '12500' },
    postings: ENVELOPE.postings,
  })
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
