import { expect, test } from 'vitest'
import { openRuleBook } from '../../../test/support/rule-book.ts'

test('a version of the rules is activated only directly after the version before it', () => {
  const book = openRuleBook()
  for (const version of [1, 3]) {
    book.when('ActivateModel', { version }).expectRefused('MODEL_CONFLICT', { version: '1' })
  }
  expect(book.events()).toEqual([])
})
