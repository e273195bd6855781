import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeRefusal, REFUSALS, refusals } from './refusals.ts'

test('the sentence contains the details that it names, and all details are returned', () => {
  const details = { type: 'deposit', decision: 'approved', decidedBy: 'admin:a' }
  expect(describeRefusal('requestDecided', details)).toEqual({
    code: 'TRANSACTION_DECIDED',
    message: 'This deposit was already approved',
    details,
  })
  expect(describeRefusal('planClosed')).toEqual({
    code: 'PLAN_CLOSED',
    message: 'This plan takes no new investments',
    details: {},
  })
})

test('a sentence without a detail that it names does not compile', () => {
  // @ts-expect-error The sentence names the standing.
  expect(describeRefusal('investorNotActive').message).toBe('The account is ')
})

test('each code has a sentence, and no two causes of a code have the same one', () => {
  const all = Object.values(refusals)
  expect(new Set(all.map(([code]) => code))).toEqual(new Set(REFUSALS))
  expect(new Set(all.map((refusal) => refusal.join())).size).toBe(all.length)
})

test('a released sentence is never changed, because the ledger has stored and hashed it', () => {
  const file = join(import.meta.dirname, 'released-refusals.json')
  const released: Record<string, [code: string, sentence: string]> = JSON.parse(
    readFileSync(file, 'utf8'),
  )
  // `verify` decides each stored refusal again and compares the whole answer.
  expect(refusals).toMatchObject(released)
})
