import { expect, test } from 'vitest'
import { getMaxPosition } from './live-position.ts'

test.each([
  [null, null, null],
  ['5', null, '5'],
  [null, '5', '5'],
  ['5', '12', '12'],
  ['12', '5', '12'],
  ['5,2:9', '7,2:3', '7,2:9'],
  ['5', '4,2:3', '5,2:3'],
  ['5,2:-1,3:8', '5,2:0', '5,2:0,3:8'],
])('the newer of %j and %j is %j', (known, next, newer) => {
  expect(getMaxPosition(known, next)).toBe(newer)
})
