import { expect, test } from 'vitest'
import { findDecidingRun } from './verifications.ts'

const create = (
  state: 'running' | 'cut-off' | 'agrees' | 'differs',
  since = '0',
  done = '1000',
) => ({ state, since, done })

test('the newest run with a result decides, and a run without a result is passed over', () => {
  const [running, cutOff] = [create('running'), create('cut-off')]
  const [agrees, differs] = [create('agrees'), create('differs')]
  expect(findDecidingRun([running, differs, agrees])).toBe(differs)
  expect(findDecidingRun([cutOff, agrees, differs])).toBe(agrees)
  expect(findDecidingRun([running, cutOff])).toBeNull()
  expect(findDecidingRun([])).toBeNull()
})

test('a run that has not read the events with a difference does not settle it', () => {
  const whole = create('differs')
  expect(findDecidingRun([create('agrees', '1000'), whole])).toBe(whole)
  const part = create('differs', '1000')
  const later = create('agrees', '1000')
  expect(findDecidingRun([later, part])).toBe(later)
  const all = create('agrees')
  expect(findDecidingRun([all, create('agrees', '1000'), whole])).toBe(all)
})

test('a run that could not be run is settled by any later run', () => {
  const failed = create('differs', '0', '0')
  expect(findDecidingRun([failed, create('agrees')])).toBe(failed)
  const later = create('agrees', '1000', '5')
  expect(findDecidingRun([later, failed])).toBe(later)
})
