import type { Command } from '@cairn/ledger-contracts'
import { expect, test } from 'vitest'
import type { LinkedEntry, SingleEntry } from './entry.ts'
import { createQuarantine } from './quarantine.ts'

function createEntry(key: string, content = 'a'): SingleEntry {
  return {
    command: { type: 'FundWallet' } as Command,
    requestHash: Buffer.from(content),
    idempotencyHash: Buffer.from(key),
    members: null,
    isLookedUp: false,
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

test('remembers linked commands as a whole, if they have keys', () => {
  const quarantine = createQuarantine()
  const [one, other] = [createEntry('one'), createEntry('other')]
  const group = createGroup([one, other])
  quarantine.add(group)
  expect(quarantine.has(createGroup([one, other]))).toBe(true)
  for (const different of [one, createGroup([other, one]), createGroup([one, other, one])]) {
    expect(quarantine.has(different)).toBe(false)
  }
  const unkeyed = createGroup([one, { ...other, idempotencyHash: null }])
  quarantine.add(unkeyed)
  expect(quarantine.has(unkeyed)).toBe(false)
})

function createGroup(members: LinkedEntry['members']): LinkedEntry {
  return {
    members,
    isDryRun: false,
    missed: [],
    isLookedUp: false,
    queuedAtMs: 0,
    bytes: 0,
    answer: () => {},
    lose: () => {},
  }
}
