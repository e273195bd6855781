import { expect, test } from 'vitest'
import { choosePreferred } from './preference.ts'

const LEDGERS = Array.from({ length: 1_000 }, (_, index) => index + 1)
const ADDRESSES = ['http://10.0.0.1:8081', 'http://10.0.0.2:8081', 'http://10.0.0.3:8081']

const choose = (addresses: readonly string[]) =>
  LEDGERS.map((ledger) => choosePreferred(ledger, addresses))

test('the ledgers spread evenly, in the same way for each order of the instances', () => {
  const chosen = choose(ADDRESSES)
  for (const address of ADDRESSES) {
    const count = chosen.filter((one) => one === address).length
    expect(count).toBeGreaterThan(270)
    expect(count).toBeLessThan(400)
  }
  expect(choose(ADDRESSES.toReversed())).toEqual(chosen)
  expect(choosePreferred(1, [])).toBe(null)
})

test('if an instance goes, only its ledgers get another one', () => {
  const [gone, ...others] = ADDRESSES
  const before = choose(ADDRESSES)
  const after = choose(others)
  const moved = LEDGERS.filter((_, index) => before[index] !== after[index])
  expect(moved.length).toBe(before.filter((address) => address === gone).length)
})

test('sabotaged twin: the remainder of a division moves most ledgers', () => {
  const divide = (addresses: readonly string[]) =>
    LEDGERS.map((ledger) => addresses[ledger % addresses.length])
  const before = divide(ADDRESSES)
  const after = divide(ADDRESSES.slice(1))
  expect(LEDGERS.filter((_, index) => before[index] !== after[index]).length).toBeGreaterThan(600)
})
