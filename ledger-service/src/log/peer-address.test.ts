import { expect, test } from 'vitest'
import { isPeerAddress } from './peer-address.ts'

const OWN = 'https://ledger-0.cairn-ledger:7000'

test.for([
  [OWN, 'https://ledger-1.cairn-ledger:7000'],
  ['https://ledger-service-1:7000', 'https://ledger-service-2:7000'],
  ['https://10.4.0.5:7000', 'https://10.4.0.6:7000'],
  ['https://[fd00::5]:7000', 'https://[fd00::6]:7000'],
  ['http://127.0.0.1:7000', 'http://127.0.0.1:7001'],
] as const)('an instance at %s can forward to %s', ([own, other]) => {
  expect(isPeerAddress(own, other)).toBe(true)
})

test.for([
  'https://evil.example:7000',
  'https://ledger-1.cairn-ledger.evil.example:7000',
  'https://cairn-ledger:7000',
  'http://ledger-1.cairn-ledger:7000',
  'http://127.0.0.1:7000',
  'https://203.0.113.9:7000',
  'ledger-1.cairn-ledger',
  'file:///etc/passwd',
  '',
])('an instance elsewhere does not forward to %s', (other) => {
  expect(isPeerAddress(OWN, other)).toBe(false)
})

test('an instance in one network does not forward to another network', () => {
  expect(isPeerAddress('https://10.4.0.5:7000', 'https://10.4.1.5:7000')).toBe(false)
  expect(isPeerAddress('http://127.0.0.1:7000', 'http://evil.example:80')).toBe(false)
  expect(isPeerAddress('https://ledger-service-1:7000', 'https://evil.example:80')).toBe(false)
  expect(isPeerAddress('https://localhost:7000', 'https://evil:7000')).toBe(false)
  expect(isPeerAddress('https://bank.example:7000', 'https://evil.example:7000')).toBe(false)
  expect(isPeerAddress('https://bank.example:7000', 'https://bank.example:7001')).toBe(true)
})
