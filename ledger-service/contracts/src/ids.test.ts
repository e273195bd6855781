import { expect, test } from 'vitest'
import { createId, followingId, formatReference } from './ids.ts'

const AT = Date.parse('2026-11-25T00:00:00Z')
const RANDOM = '0123456789'
/** Returns the id that is created at this time with these random digits. */
const createIdAt = (atMs: number) => createId(atMs).slice(0, 10) + RANDOM

test('a reference has sixteen characters of Crockford base 32', () => {
  for (let count = 0; count < 100; count += 1) {
    expect(formatReference(createId(AT))).toMatch(/^[0-9A-HJKMNP-TV-Z]{16}$/)
  }
})

test('ids with the same random digits have different references for 17 minutes', () => {
  const references = Array.from({ length: 1_000 }, (_, index) =>
    formatReference(createIdAt(AT + index * 1_048)),
  )
  expect(new Set(references).size).toBe(1_000)
})

test('the last character detects a mistyped reference', () => {
  const id = createIdAt(AT)
  const other = `${id.slice(0, 12)}z${id.slice(13)}`
  expect(formatReference(other).at(-1)).not.toBe(formatReference(id).at(-1))
})

test('the transactions of an investment have references of their own', () => {
  const id = createId(AT)
  const ids = [id, ...Object.values(followingId).map((follow) => follow(id))]
  expect(new Set(ids.map(formatReference)).size).toBe(5)
})
