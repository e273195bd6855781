import { expect, test } from 'vitest'
import { chooseDayLabels } from './day-labels.ts'

/** Returns the labels as they are read, for days that are `widthPx` apart. */
function readLabels(days: readonly string[], widthPx: number): readonly string[] {
  const first = Date.parse(days[0] ?? '')
  const places = days.map((day) => ({
    day,
    x: ((Date.parse(day) - first) / 86_400_000) * widthPx,
  }))
  return chooseDayLabels(places).map(({ day, isFirstOfMonth }) =>
    isFirstOfMonth ? `${day.slice(8)} ${day.slice(5, 7)}` : day.slice(8),
  )
}

const DAYS = ['2026-11-29', '2026-12-04', '2026-12-17', '2026-12-27', '2027-01-12'] as const

test('every day has a label if there is room, and the first of each month names the month', () => {
  expect(readLabels(DAYS, 10)).toEqual(['29 11', '04 12', '17', '27', '12 01'])
})

test('the month moves to the next label if the first day of the month has none', () => {
  expect(readLabels(DAYS, 3)).toEqual(['29 11', '17 12', '27', '12 01'])
})

test('a day whose month would touch the month before has no label', () => {
  // The labels of the days do not touch here: they are 25 px apart.
  expect(readLabels(DAYS, 5)).toEqual(['29 11', '17 12', '27', '12 01'])
})

test('the same month of two years is named twice', () => {
  expect(readLabels(['2026-11-29', '2027-11-29'], 1)).toEqual(['29 11', '29 11'])
})

test('without a day there is no label', () => {
  expect(readLabels([], 10)).toEqual([])
})
