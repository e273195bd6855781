import { expect, test } from 'vitest'
import { findNewestResult } from './verifications.ts'

test('the newest run with a result decides, and a run without a result is passed over', () => {
  const [running, cutOff] = [{ state: 'running' }, { state: 'cut-off' }] as const
  const [agrees, differs] = [{ state: 'agrees' }, { state: 'differs' }] as const
  expect(findNewestResult([running, differs, agrees])).toBe(differs)
  expect(findNewestResult([cutOff, agrees, differs])).toBe(agrees)
  expect(findNewestResult([running, cutOff])).toBeNull()
  expect(findNewestResult([])).toBeNull()
})
