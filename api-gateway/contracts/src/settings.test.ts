import { expect, test } from 'vitest'
import { describeFileTooLarge, formatMegabytes } from './settings.ts'

test('a limit of an upload is stated in megabytes', () => {
  const sizes = [2 * 1024 * 1024, 1.5 * 1024 * 1024, 10 * 1024 * 1024, 512 * 1024]
  expect(sizes.map(formatMegabytes)).toEqual(['2', '1.5', '10', '0.5'])
  expect(describeFileTooLarge(5 * 1024 * 1024)).toBe('The file is larger than 5 MB')
})
