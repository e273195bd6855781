import { expect, test } from 'vitest'
import { parseInstanceName } from './instances.ts'
import { createPlacement } from './placement.ts'
import { choosePreferred } from './preference.ts'

const OWN = 'http://10.0.0.1:8081'
const OTHER = 'http://10.0.0.2:8081'
const LEDGERS = Array.from({ length: 20 }, (_, index) => index + 1)
const isOwn = (ledger: number) => choosePreferred(ledger, [OWN, OTHER]) === OWN
const OWN_LEDGERS = LEDGERS.filter(isOwn)
const FOREIGN = LEDGERS.filter((ledger) => !isOwn(ledger))

const named = (...names: readonly string[]) => names.map(parseInstanceName)
const both = named(`ledgers-20-lock 1 ${OWN}`, `ledgers-20-lock 1 ${OTHER}`)

function open(instances = both, patienceMs?: number) {
  const placement = createPlacement({ address: OWN, patienceMs })
  placement.setInstances(instances, 0)
  return placement
}

test('an instance alone takes all free ledgers, and with another one those that prefer it', () => {
  expect(OWN_LEDGERS.length * FOREIGN.length).toBeGreaterThan(0)
  expect(open([]).chooseFree(LEDGERS, 0)).toEqual(LEDGERS)
  expect(open().chooseFree(LEDGERS, 0)).toEqual(OWN_LEDGERS)
  expect(LEDGERS.filter(open().isForeign)).toEqual(FOREIGN)
})

test('an instance that is gone, leaves or serves fewer ledgers is not preferred', () => {
  const placement = open()
  placement.setInstances(both.slice(0, 1), 300)
  expect(placement.chooseFree(LEDGERS, 300)).toEqual(LEDGERS)
  expect(open(named(`ledgers-20-leaving 1 ${OTHER}`)).chooseFree(LEDGERS, 0)).toEqual(LEDGERS)
  const fewer = open(named(`ledgers-10-lock 1 ${OTHER}`))
  expect(LEDGERS.filter(fewer.isForeign)).toEqual(FOREIGN.filter((ledger) => ledger <= 10))
})

test('an instance of release 0.1.0 serves the ledger of its connection', () => {
  const [foreign = 0] = FOREIGN
  const older = open(named(`ledger-${foreign}-lock 1 ${OTHER}`, 'ledger-2-lock'))
  expect(LEDGERS.filter(older.isForeign)).toEqual([foreign])
})

test('a ledger that its preferred instance does not take is taken after a second and kept', () => {
  const placement = open()
  expect(placement.chooseFree(FOREIGN, 0)).toEqual([])
  expect(placement.chooseFree(FOREIGN, 900)).toEqual([])
  expect(placement.chooseFree(FOREIGN, 1_000)).toEqual(FOREIGN)
  placement.setInstances(both, 1_300)
  expect(FOREIGN.filter(placement.isForeign)).toEqual([])
  placement.setInstances(both, 61_000)
  expect(FOREIGN.filter(placement.isForeign)).toEqual(FOREIGN)
})

test('the time without an instance begins again when the ledger was taken in between', () => {
  const placement = open()
  placement.chooseFree(FOREIGN, 0)
  placement.chooseFree([], 500)
  expect(placement.chooseFree(FOREIGN, 1_200)).toEqual([])
})

test('sabotaged twin: with endless patience, an instance that hangs leaves ledgers without writer', () => {
  const placement = open(both, Number.POSITIVE_INFINITY)
  placement.chooseFree(FOREIGN, 0)
  expect(placement.chooseFree(FOREIGN, 3_600_000)).toEqual([])
})
