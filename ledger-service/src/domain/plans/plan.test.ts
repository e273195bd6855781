import { expect, test } from 'vitest'
import { openRuleBook, starterPlan } from '../../../test/support/rule-book.ts'

test('a maximum is at least the minimum', () => {
  const book = openRuleBook()
  const planId = book.id()
  const define = (maximumMinor: bigint) =>
    book.when('DefinePlan', {
      planId,
      terms: { ...starterPlan, minimumMinor: 10_000n, maximumMinor },
    })
  define(9_999n).expectRefused('PLAN_INVALID')
  define(10_000n).expectRecorded('PlanDefined', { planId, version: 1 })
  expect(book.events()).toHaveLength(1)
})
