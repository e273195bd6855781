import { generateKeyPairSync } from 'node:crypto'
import { openKeys } from '@cairn/gateway-contracts/proof'
import { expect, test } from 'vitest'
import { formatVerifierKey, signFork, VERIFIER_KEY } from '../../../testing/signed-log.ts'
import { compareKeys, readKeptKeys, replaceTrustedKeys, trustKeys } from './trusted-keys.ts'

const other = generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'der' })
const OTHER_KEY = formatVerifierKey(new Uint8Array(other).slice(-32))
const HANDOVER = signFork({ size: 5n, lostSize: 9n, at: '2026-11-25T10:00:00.000Z' })

function createStore(text: string | null = null) {
  let kept = text
  return {
    read: () => kept,
    write: (next: string) => {
      kept = next
    },
  }
}

test('the first key is kept, and a later key needs a handover that it has signed', () => {
  const store = createStore()
  expect(trustKeys([VERIFIER_KEY], store)).toEqual([VERIFIER_KEY])
  const { seenAt } = readKeptKeys(store) ?? {}
  expect(trustKeys([VERIFIER_KEY, HANDOVER], store)).toEqual([VERIFIER_KEY, HANDOVER])
  expect(readKeptKeys(store)).toEqual({ lines: [VERIFIER_KEY, HANDOVER], seenAt })
})

test.each([
  ['another key', [OTHER_KEY]],
  ['no key', []],
  ['another key before the first', [OTHER_KEY, VERIFIER_KEY, HANDOVER]],
  ['the first key without the handover that was seen', [VERIFIER_KEY]],
])('%s is refused, and the kept keys stay', (_, offered) => {
  const store = createStore()
  trustKeys([VERIFIER_KEY, HANDOVER], store)
  const before = store.read()
  expect(() => trustKeys(offered, store)).toThrow('but since')
  expect(store.read()).toBe(before)
})

test('a site that offers no key is told apart from one that offers another key', () => {
  const store = createStore()
  trustKeys([VERIFIER_KEY], store)
  expect(compareKeys([], store).problem).toMatch(
    /^the site offers no key, but since .* trusts the key .*\. Reload this page later/,
  )
  expect(compareKeys([OTHER_KEY], store).problem).toMatch(/the site offers the key \S+\+\S+, but/)
})

test('a key that is added without a handover is refused', () => {
  const store = createStore()
  trustKeys([VERIFIER_KEY], store)
  expect(() => trustKeys([VERIFIER_KEY, OTHER_KEY], store)).toThrow(
    'not the change of a signing key',
  )
  // Sabotaged twin: without the check of the handover, the browser would trust the added key.
  expect(openKeys([VERIFIER_KEY, OTHER_KEY])).toHaveLength(2)
})

test('only the reader of the page replaces the kept keys', () => {
  const store = createStore()
  trustKeys([VERIFIER_KEY], store)
  replaceTrustedKeys([OTHER_KEY], store)
  expect(trustKeys([OTHER_KEY], store)).toEqual([OTHER_KEY])
})

test.each(['', 'x', '{}', '{"lines":[1],"seenAt":"a"}'])(
  'damaged storage %j keeps no key',
  (text) => {
    expect(readKeptKeys(createStore(text))).toBeNull()
  },
)

test('keys that are built into the page are trusted instead of keys that the browser has kept', () => {
  const store = createStore()
  trustKeys([OTHER_KEY], store)
  const before = store.read()
  const pinned = [VERIFIER_KEY]
  expect(() => trustKeys([OTHER_KEY], store, pinned)).toThrow('is built into this page')
  expect(() => replaceTrustedKeys([OTHER_KEY], store, pinned)).toThrow('is built into this page')
  expect(compareKeys([OTHER_KEY], createStore(before), pinned)).toMatchObject({
    trustedKey: VERIFIER_KEY,
    isPinned: true,
    problem: expect.stringContaining('is built into this page'),
  })
  // Sabotaged twin: without the built-in key, a browser that saw the other key first trusts it.
  expect(trustKeys([OTHER_KEY], createStore(before), [])).toEqual([OTHER_KEY])
})

test('a handover after the built-in keys is accepted once, and then it is required', () => {
  const store = createStore()
  const pinned = [VERIFIER_KEY]
  expect(trustKeys([VERIFIER_KEY], store, pinned)).toEqual([VERIFIER_KEY])
  expect(trustKeys([VERIFIER_KEY, HANDOVER], store, pinned)).toEqual([VERIFIER_KEY, HANDOVER])
  expect(() => trustKeys([VERIFIER_KEY], store, pinned)).toThrow('this browser trusts the key')
  const later = [VERIFIER_KEY, HANDOVER]
  expect(trustKeys(later, createStore(), later)).toEqual(later)
})
