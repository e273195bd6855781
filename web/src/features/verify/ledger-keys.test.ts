import { computeKeyId, encodeUtf8, formatReceipt, toBase64 } from '@cairn/gateway-contracts/proof'
import { expect, test } from 'vitest'
import { publicKey, VERIFIER_KEY } from '../../../testing/signed-log.ts'
import {
  compareKeysOfLedger,
  findFurtherLedger,
  replaceKeysOfLedger,
  trustKeysOfLedger,
} from './ledger-keys.ts'
import { compareKeys, replaceTrustedKeys, trustKeys } from './trusted-keys.ts'

const LOG = 'log.example/ledger/2'
const OTHER_KEY = toKey('log.example/ledger/1')
const KEY = toKey(LOG)

function toKey(name: string): string {
  const bytes = Uint8Array.of(1, ...publicKey)
  return `${name}+${computeKeyId(name, publicKey)}+${toBase64(bytes)}`
}

function createStore() {
  let kept: string | null = null
  return {
    read: () => kept,
    write: (text: string) => {
      kept = text
    },
  }
}

/** Returns a receipt with a checkpoint of this log. The checkpoint has no signature. */
function createReceipt(origin: string): string {
  const event = encodeUtf8(JSON.stringify({ seq: '0' }))
  const checkpoint = `${origin}\n1\n${toBase64(new Uint8Array(32))}\n`
  return formatReceipt({ event, index: 0n, path: [], checkpoint })
}

test('the keys of each ledger are kept apart, and other keys are refused', () => {
  const store = createStore()
  trustKeys([VERIFIER_KEY], store)
  expect(trustKeysOfLedger({ ledger: 2, verifierKeys: [KEY] }, store)).toEqual([KEY])
  expect(() => trustKeysOfLedger({ ledger: 2, verifierKeys: [] }, store)).toThrow('since')
  expect(trustKeys([VERIFIER_KEY], store)).toEqual([VERIFIER_KEY])
  expect(() => trustKeys([KEY], store)).toThrow('since')
  // The reader of the page replaces the keys of the first ledger only.
  replaceTrustedKeys([OTHER_KEY], store)
  expect(trustKeysOfLedger({ ledger: null, verifierKeys: [OTHER_KEY] }, store)).toHaveLength(1)
  expect(() => trustKeysOfLedger({ ledger: 2, verifierKeys: [] }, store)).toThrow('since')
})

test('the key of one ledger is not accepted as the key of another', () => {
  const store = createStore()
  const offered = { ledger: 3, verifierKeys: [KEY] }
  expect(() => trustKeysOfLedger(offered, store)).toThrow(
    `the key of ${LOG} as the key of ledger 3`,
  )
  expect(store.read()).toBeNull()
})

test('the reader is not shown the key of one ledger as the trusted key of another', () => {
  const store = createStore()
  const offered = { ledger: 3, verifierKeys: [KEY] }
  const problem = expect.stringContaining(`the key of ${LOG} as the key of ledger 3`)
  const refused = { trustedKey: null, problem, isReplaceable: false }
  expect(compareKeysOfLedger(offered, store)).toMatchObject(refused)
  expect(() => replaceKeysOfLedger(offered, store)).toThrow('as the key of ledger 3')
  expect(store.read()).toBeNull()
  // Sabotaged twin: without the check of the name, the browser would trust the key.
  expect(compareKeys([KEY], store, [])).toMatchObject({ trustedKey: KEY, problem: null })
})

test('the reader can replace the keys of a further ledger, and those of others stay', () => {
  const store = createStore()
  trustKeys([VERIFIER_KEY], store)
  const own = { ledger: 2, verifierKeys: [KEY] }
  expect(compareKeysOfLedger(own, store)).toMatchObject({ trustedKey: KEY, problem: null })
  const next = { ledger: 2, verifierKeys: [toKey('other.example/ledger/2')] }
  expect(compareKeysOfLedger(next, store)).toMatchObject({ trustedKey: KEY, isReplaceable: true })
  replaceKeysOfLedger(next, store)
  expect(compareKeysOfLedger(next, store)).toMatchObject({ problem: null })
  expect(trustKeys([VERIFIER_KEY], store)).toEqual([VERIFIER_KEY])
})

test('a receipt says which ledger signed it', () => {
  expect(findFurtherLedger(createReceipt(LOG), [1, 2])).toBe(2)
  // After a loss of events, the log has another name.
  expect(findFurtherLedger(createReceipt(`${LOG}.2`).replaceAll('\n', '\r\n'), [1, 2])).toBe(2)
  expect(findFurtherLedger(createReceipt(LOG), [2, 1])).toBeNull()
  expect(findFurtherLedger(createReceipt(LOG), [])).toBeNull()
  expect(findFurtherLedger(createReceipt('log.example'), [1, 2])).toBeNull()
  expect(findFurtherLedger('not a receipt', [1, 2])).toBeNull()
})
