import { expect, test } from 'vitest'
import { openRuleBook } from '../../../test/support/rule-book.ts'
import { model } from '../model.ts'

const SEALER = 'system:audit-sealer'
const HEAD = 'a'.repeat(64)
const OTHER = 'b'.repeat(64)

test('a seal covers more rows than the last one, so no sealed row gets another hash', () => {
  const book = openRuleBook()
  book.when('SealAudit', { count: 10, head: HEAD }, SEALER).expectRecorded('AuditSealed', {})
  book.when('SealAudit', { count: 10, head: OTHER }, SEALER).expectRefused('AUDIT_SEAL_CONFLICT')
  book.when('SealAudit', { count: 9, head: OTHER }, SEALER).expectRefused('AUDIT_SEAL_CONFLICT')
  book.when('SealAudit', { count: 11, head: OTHER }, SEALER).expectRecorded('AuditSealed', {})
})

test('sabotaged twin: without the last seal, the same rows get a second head', () => {
  const forgetful = {
    ...model,
    evolve: (...args: Parameters<typeof model.evolve>) => {
      if (args[0].fact.type !== 'AuditSealed') model.evolve(...args)
    },
  }
  const book = openRuleBook(forgetful)
  book.when('SealAudit', { count: 10, head: HEAD }, SEALER).expectRecorded('AuditSealed', {})
  const again = book.when('SealAudit', { count: 10, head: OTHER }, SEALER)
  expect(() => again.expectRefused('AUDIT_SEAL_CONFLICT')).toThrow()
})
