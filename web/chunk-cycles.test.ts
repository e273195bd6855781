import { expect, test } from 'vitest'

import { findCycle } from './chunk-cycles.ts'

test('chunks of an import cycle are named, wherever the search begins', () => {
  const cyclic = new Map([
    ['entry', ['page', 'ui']],
    ['page', ['ui', 'money']],
    ['ui', ['field']],
    ['field', ['money', 'ui']],
    ['money', []],
  ])
  expect(findCycle(cyclic)).toEqual(['ui', 'field', 'ui'])
  expect(findCycle(new Map([['alone', ['alone']]]))).toEqual(['alone', 'alone'])
})

test('a shared chunk without a cycle passes', () => {
  const shared = new Map([
    ['entry', ['page', 'ui']],
    ['page', ['ui', 'money']],
    ['ui', ['money']],
    ['money', ['outside']],
  ])
  expect(findCycle(shared)).toBeNull()
})
