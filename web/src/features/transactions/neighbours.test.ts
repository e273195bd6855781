import { expect, test } from 'vitest'

import { neighboursOf, stepOf } from './neighbours.ts'

test('the first row has no previous row and the last has no next row', () => {
  expect(neighboursOf(['a', 'b', 'c'], 'a')).toEqual({ previous: null, next: 'b' })
  expect(neighboursOf(['a', 'b', 'c'], 'b')).toEqual({ previous: 'a', next: 'c' })
  expect(neighboursOf(['a', 'b', 'c'], 'c')).toEqual({ previous: 'b', next: null })
  expect(neighboursOf(['a'], 'z')).toEqual({ previous: null, next: null })
})

test('a shortcut of the browser is not handled', () => {
  const pressed = { ctrlKey: false, metaKey: false, altKey: false }
  expect(stepOf({ ...pressed, key: 'j' })).toBe('next')
  expect(stepOf({ ...pressed, key: 'ArrowLeft' })).toBe('previous')
  expect(stepOf({ ...pressed, key: 'ArrowLeft', altKey: true })).toBeNull()
  expect(stepOf({ ...pressed, key: 'x' })).toBeNull()
})
