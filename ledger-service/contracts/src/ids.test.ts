import { expect, test } from 'vitest'
import { followingId, newId, referenceOf } from './ids.ts'

const AT = Date.parse('2026-11-25T00:00:00Z')
const RANDOM = '0123456789'
/** Returns the id with these random digits that is given out at this time. */
const giveOut = (atMs: number) => newId(atMs).slice(0, 10) + RANDOM

test('a reference has sixteen characters of Crockford base 32', () => {
  for (let count = 0; count < 100; count += 1) {
    expect(referenceOf(newId(AT))).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/)
  }
})

test('ids with the same random digits have different references for 17 minutes', () => {
  const references = Array.from({ length: 1_000 }, (_, index) =>
    referenceOf(giveOut(AT + index * 1_048)),
  )
  expect(new Set(references).size).toBe(1_000)
})

test('the last character tells a mistyped reference', () => {
  const id = giveOut(AT)
  const other = `${id.slice(0, 12)}z${id.slice(13)}`
  expect(referenceOf(other).at(-1)).not.toBe(referenceOf(id).at(-1))
})

test('the transactions of an investment have references of their own', () => {
  const id = newId(AT)
  const ids = [id, ...Object.values(followingId).map((follow) => follow(id))]
  expect(new Set(ids.map(referenceOf)).size).toBe(5)
})
