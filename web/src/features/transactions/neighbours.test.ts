import { expect, test } from 'vitest'

import { findNeighbours, readPanelKey } from './neighbours.ts'

test('the first row has no previous row and the last has no next row', () => {
  expect(findNeighbours(['a', 'b', 'c'], 'a')).toEqual({ previous: null, next: 'b' })
  expect(findNeighbours(['a', 'b', 'c'], 'b')).toEqual({ previous: 'a', next: 'c' })
  expect(findNeighbours(['a', 'b', 'c'], 'c')).toEqual({ previous: 'b', next: null })
  expect(findNeighbours(['a'], 'z')).toEqual({ previous: null, next: null })
})

test('a shortcut of the browser is not handled', () => {
  const pressed = { ctrlKey: false, metaKey: false, altKey: false }
  expect(readPanelKey({ ...pressed, key: 'j' })).toBe('next')
  expect(readPanelKey({ ...pressed, key: 'ArrowLeft' })).toBe('previous')
  expect(readPanelKey({ ...pressed, key: 'a' })).toBe('approve')
  expect(readPanelKey({ ...pressed, key: 'ArrowLeft', altKey: true })).toBeNull()
  expect(readPanelKey({ ...pressed, key: 'a', ctrlKey: true })).toBeNull()
  expect(readPanelKey({ ...pressed, key: 'x' })).toBeNull()
})
