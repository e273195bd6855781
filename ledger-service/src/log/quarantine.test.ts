import { expect, test } from 'vitest'
import { createEntry, createLinkedEntry } from '../../test/support/queue-entry.ts'
import { createQuarantine } from './quarantine.ts'

test('remembers a bounded number of failed commands by key and content', () => {
  const quarantine = createQuarantine()
  const first = createEntry('first')
  quarantine.add(first)
  expect(quarantine.has(createEntry('first'))).toBe(true)
  expect(quarantine.has(createEntry('first', 'b'))).toBe(false)

  const unkeyed = { ...first, idempotencyHash: null }
  quarantine.add(unkeyed)
  expect(quarantine.has(unkeyed)).toBe(false)

  for (let index = 0; index < 1_000; index += 1) quarantine.add(createEntry(`later ${index}`))
  expect(quarantine.has(first)).toBe(false)
  expect(quarantine.has(createEntry('later 999'))).toBe(true)
})

test('remembers linked commands as a whole, if they have keys', () => {
  const quarantine = createQuarantine()
  const [one, other] = [createEntry('one'), createEntry('other')]
  const group = createLinkedEntry([one, other])
  quarantine.add(group)
  expect(quarantine.has(createLinkedEntry([one, other]))).toBe(true)
  for (const different of [
    one,
    createLinkedEntry([other, one]),
    createLinkedEntry([one, other, one]),
  ]) {
    expect(quarantine.has(different)).toBe(false)
  }
  const unkeyed = createLinkedEntry([one, { ...other, idempotencyHash: null }])
  quarantine.add(unkeyed)
  expect(quarantine.has(unkeyed)).toBe(false)
})
