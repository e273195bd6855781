import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countPostings, formatPostings, parsePostings } from './stored-postings.ts'

const ADA = 'investor:01kjma3ccrn1b0xpqm09:profit'

const parse = (formatted: string) => parsePostings(JSON.parse(`[${formatted}]`))

test('an amount that moves from one account to the next is one text', () => {
  const postings = [
    { account: 'committed', amountMinor: -33n },
    { account: ADA, amountMinor: 33n },
    { account: 'fees', amountMinor: 2n },
    { account: 'cash:bank', amountMinor: -2n },
  ]
  const formatted = formatPostings(postings)
  expect(formatted).toBe(`"committed > ${ADA} 33","fees 2","cash:bank -2"`)
  expect(parse(formatted)).toEqual(postings)
})

test('any postings are read as they were written, and counted', () => {
  const account = fc.stringMatching(/^[\w:.@/-]+$/)
  const amountMinor = fc.bigInt({ min: -5n, max: 5n }).filter((minor) => minor !== 0n)
  fc.assert(
    fc.property(fc.array(fc.record({ account, amountMinor })), (postings) => {
      const formatted = formatPostings(postings)
      expect(parse(formatted)).toEqual(postings)
      expect(countPostings(formatted)).toBe(postings.length)
    }),
  )
})

test('sabotaged twin: an account with a space would be read as another account', () => {
  const account = 'fees > cash:bank'
  expect(() => formatPostings([{ account, amountMinor: 1n }])).toThrow(
    'is not the code of an account',
  )
  expect(parsePostings([`${account} 1`])).not.toEqual([{ account, amountMinor: 1n }])
})

test.each(['', 'fees', 'fees 0', 'fees 01', 'fees 1 2', 'a > b', 'a > b -0', 'a > b > c 1'])(
  'refuses "%s"',
  (text) => {
    expect(() => parsePostings([text])).toThrow('is not a posting')
  },
)
