import { expect, test } from 'vitest'
import { joinCoverages } from './books.ts'
import { computeCoverage } from './coverage.ts'

const cover = (kinds: Readonly<Record<string, bigint>>) =>
  computeCoverage(new Map(Object.entries(kinds)))

const rich = cover({ committed: 100n, reserve: 500n, balance: 40n, cash: -640n })
const poor = cover({ committed: 200n, reserve: -150n, balance: 10n, cash: -60n })

test('the coverage of one ledger stays the same', () => {
  for (const book of [rich, poor, cover({})]) expect(joinCoverages([book])).toEqual(book)
})

test('amounts are sums, and the reserve of one ledger covers nothing of another', () => {
  const both = joinCoverages([rich, poor])
  expect(both).toMatchObject({
    committedMinor: 300n,
    reserveMinor: 350n,
    liabilitiesMinor: 50n,
    cashMinor: 700n,
    shortfallMinor: 150n,
    percentage: 50,
  })
  // Sabotaged twin: the coverage of the sums hides what the second ledger lacks.
  const hidden = cover({ committed: 300n, reserve: 350n, balance: 50n, cash: -700n })
  expect(hidden).toMatchObject({ shortfallMinor: 0n, percentage: 100 })
})

test('a shortfall above the promised profit of its ledger uncovers no more than that', () => {
  const broken = cover({ committed: 10n, reserve: -1_000n })
  expect(joinCoverages([rich, broken])).toMatchObject({
    shortfallMinor: 1_000n,
    percentage: 90.9,
  })
})
