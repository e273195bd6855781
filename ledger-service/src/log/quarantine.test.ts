import type { Command } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import { type Entry, poisoned } from './batch.ts'
import { createQuarantine } from './quarantine.ts'

function entryOf(key: string, content = 'a'): Entry {
  return {
    command: { type: 'FundWallet' } as Command,
    requestHash: Buffer.from(content),
    idempotencyHash: Buffer.from(key),
    queuedAtMs: 0,
    bytes: 0,
    answer: () => {},
  }
}

test('remembers what was poison, by key and content, and only so much of it', () => {
  const quarantine = createQuarantine()
  const first = entryOf('first')
  quarantine.note(first, poisoned(first))
  expect(quarantine.find(entryOf('first'))).toEqual(poisoned(first))
  expect(quarantine.find(entryOf('first', 'b'))).toBeNull()

  const busy = entryOf('busy')
  quarantine.note(busy, { outcome: 'failed', code: 'OVERLOADED', message: '' })
  expect(quarantine.find(busy)).toBeNull()

  for (let index = 0; index < 1_000; index += 1) {
    const entry = entryOf(`later ${index}`)
    quarantine.note(entry, poisoned(entry))
  }
  expect(quarantine.find(first)).toBeNull()
  expect(quarantine.find(entryOf('later 999'))).not.toBeNull()
})
