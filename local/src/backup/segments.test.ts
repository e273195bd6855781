import { expect, test } from 'vitest'
import { findTimeline, formatSegment, parseSegment, parseTimelineHistory } from './segments.ts'

test('the number of a segment continues after the 256th of a file id', () => {
  const last = parseSegment('0000000100000000000000FF')
  expect(last).toEqual({ timeline: 1, number: 255 })
  expect(formatSegment({ timeline: 10, number: 256 })).toBe('0000000A0000000100000000')
  expect(parseSegment('0000000A0000000100000000')).toEqual({ timeline: 10, number: 256 })
})

test('other files of an archive are not segments', () => {
  expect(parseSegment('00000002.history')).toBeNull()
  expect(parseSegment('000000010000000000000004.00000028.backup')).toBeNull()
  expect(parseSegment('000000010000000000000004.partial')).toBeNull()
})

// Timeline 1 ends in segment 3 and timeline 2 in segment 0x105. The next timeline has its own copy
// of each of these segments.
const HISTORY = '1\t0/3000148\tno recovery target\n2\t1/5000000\tbefore 2026-11-25\n'

test('each segment is read from the timeline that was not abandoned', () => {
  const chain = { newest: 3, ends: parseTimelineHistory(HISTORY) }
  expect(chain.ends.map(({ segment }) => segment)).toEqual([3, 0x105])
  expect([2, 3, 0x104, 0x105].map((number) => findTimeline(number, chain))).toEqual([1, 2, 2, 3])
})
