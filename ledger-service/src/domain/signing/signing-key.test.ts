import { parseVerifierKey } from '@cairn/ledger-contracts/proof'
import { expect, test } from 'vitest'
import { openRuleBook } from '../../../test/support/rule-book.ts'
import { createTestHandover, createTestKey } from '../../../test/support/test-signing.ts'
import { record } from '../decider.ts'
import { model } from '../model.ts'

const ROOT = Buffer.alloc(32, 7)
const reason = 'the disk was lost'

function createFork(): string {
  const newKey = parseVerifierKey(createTestKey('cairn.test/ledger/1.2').verifierKey)
  const lost = { size: 9n, root: ROOT, at: '2026-11-25T10:00:00.000Z' }
  return createTestKey().signHandover({ size: 4n, root: ROOT, lost, newKey })
}

test('a replaced key and a fork are recorded, each with its own event', () => {
  const book = openRuleBook()
  const handovers = [createTestHandover()]
  book
    .when('ReplaceSigningKey', { handovers, reason: null })
    .expectRecorded('SigningKeyReplaced', { handovers })
  const forked = [createTestHandover(), createFork()]
  book
    .when('ReplaceSigningKey', { handovers: forked, reason })
    .expectRecorded('LogForked', { handovers: forked, reason })
})

test('a handover that no key has signed is refused, and so is a wrong reason', () => {
  const book = openRuleBook()
  const forged = createTestHandover().replace(/ 1 /, ' 2 ')
  const wrong = [
    { handovers: [forged], reason: null },
    { handovers: [forged, createTestHandover()], reason: null },
    { handovers: ['nonsense'], reason: null },
    { handovers: [createFork()], reason: null },
    { handovers: [createTestHandover()], reason },
  ]
  for (const data of wrong) book.when('ReplaceSigningKey', data).expectRefused('HANDOVER_INVALID')
})

test('sabotaged twin: a decider that does not verify records a forged handover', () => {
  const trusting: typeof model = {
    ...model,
    decide: (command, view, context) => {
      if (command.type !== 'ReplaceSigningKey') return model.decide(command, view, context)
      const { handovers } = command.data
      return record({ type: 'SigningKeyReplaced', data: { handovers } }, context)
    },
  }
  const forged = createTestHandover().replace(/ 1 /, ' 2 ')
  const outcome = openRuleBook(trusting).when('ReplaceSigningKey', {
    handovers: [forged],
    reason: null,
  })
  expect(() => outcome.expectRefused('HANDOVER_INVALID')).toThrow()
})
