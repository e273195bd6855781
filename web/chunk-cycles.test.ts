import { expect, test } from 'vitest'

import { findCycle } from './chunk-cycles.ts'

test('chunks that import each other are named, wherever the circle begins', () => {
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

test('what is shared without a circle passes', () => {
  const shared = new Map([
    ['entry', ['page', 'ui']],
    ['page', ['ui', 'money']],
    ['ui', ['money']],
    ['money', ['outside']],
  ])
  expect(findCycle(shared)).toBeNull()
})
