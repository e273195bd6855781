import { openHandover, parseVerifierKey } from '@cairn/ledger-contracts/proof'
import { beforeEach, expect, test } from 'vitest'
import { openRuleBook, type RuleBook } from '../../../test/support/rule-book.ts'
import { createTestHandover, createTestKey } from '../../../test/support/test-signing.ts'
import type { Model } from '../../log/model.ts'
import { model } from '../model.ts'
import { keyRotationTable } from './key-rotation.ts'

const DAY_MS = 86_400_000
const SERVER = 'system:server'
const HANDOVER = createTestHandover()
const VERIFIER_KEY = HANDOVER.split(' ')[3] ?? ''
const data = { verifierKey: VERIFIER_KEY }

/** Opens a book in which Ada and Bob have been approvers for a day. */
function openBook(rules: Model = model): RuleBook {
  const book = openRuleBook(rules)
  for (const approverId of ['ada', 'bob']) book.when('AddApprover', { approverId }, SERVER)
  book.advanceTime(DAY_MS)
  return book
}

const rotate = (book: RuleBook) =>
  book.when('ReplaceSigningKey', { handovers: [HANDOVER], reason: null }, SERVER)

let book: RuleBook
beforeEach(() => {
  book = openBook()
})

test('the text of the key is that of the handover', () => {
  expect(parseVerifierKey(VERIFIER_KEY)).toEqual(openHandover(HANDOVER).oldKey)
})

test('two administrators permit a new key, one does not', () => {
  book.when('PermitKeyRotation', data, 'admin:ada').expectRefused('SECOND_APPROVER_NEEDED')
  book.approved('PermitKeyRotation', data, ['ada', 'ada']).expectRefused('SECOND_APPROVER_NEEDED')
  book
    .approved('PermitKeyRotation', data, ['ada', 'bob'])
    .expectRecorded('KeyRotationPermitted', data)
})

test('a key is replaced only within seven days after two administrators permitted it', () => {
  rotate(book).expectRefused('ROTATION_NOT_PERMITTED')
  book
    .approved('PermitKeyRotation', data, ['ada', 'bob'])
    .expectRecorded('KeyRotationPermitted', data)
  book.advanceTime(7 * DAY_MS + 1)
  rotate(book).expectRefused('ROTATION_NOT_PERMITTED')
  book
    .approved('PermitKeyRotation', data, ['ada', 'bob'])
    .expectRecorded('KeyRotationPermitted', data)
  book.advanceTime(7 * DAY_MS)
  rotate(book).expectRecorded('SigningKeyReplaced', { handovers: [HANDOVER] })
})

test('the permission of another key permits nothing', () => {
  const other = { verifierKey: createTestKey().verifierKey }
  book
    .approved('PermitKeyRotation', other, ['ada', 'bob'])
    .expectRecorded('KeyRotationPermitted', other)
  rotate(book).expectRefused('ROTATION_NOT_PERMITTED')
})

test('a loss of events is declared without a permission', () => {
  const newKey = parseVerifierKey(createTestKey('cairn.test/ledger/1.2').verifierKey)
  const root = Buffer.alloc(32, 7)
  const lost = { size: 9n, root, at: '2026-03-01T10:00:00.000Z' }
  const handovers = [createTestKey().signHandover({ size: 4n, root, lost, newKey })]
  const fork = { handovers, reason: 'the disk was lost' }
  book.when('ReplaceSigningKey', fork, SERVER).expectRecorded('LogForked', fork)
})

test('sabotaged twin: with any permission in the table, the key is replaced', () => {
  const blind: Model = {
    ...model,
    decide: (command, view, context) => {
      const readRow: typeof view.peek = (table, key) => {
        if (table.name !== keyRotationTable.name) return view.peek(table, key)
        const row = { verifierKey: VERIFIER_KEY, permittedAt: context.recordedAtMs, lastSeq: 0n }
        // The cast is safe, because the row has the columns of the table.
        return row as never
      }
      return model.decide(command, { ...view, peek: readRow }, context)
    },
  }
  expect(() => rotate(openBook(blind)).expectRefused('ROTATION_NOT_PERMITTED')).toThrow()
})
