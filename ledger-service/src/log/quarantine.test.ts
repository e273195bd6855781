import type { Command } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import type { Entry } from './entry.ts'
import { createQuarantine } from './quarantine.ts'

function createEntry(key: string, content = 'a'): Entry {
  return {
    command: { type: 'FundWallet' } as Command,
    requestHash: Buffer.from(content),
    idempotencyHash: Buffer.from(key),
    queuedAtMs: 0,
    bytes: 0,
    answer: () => {},
    lose: () => {},
  }
}

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
