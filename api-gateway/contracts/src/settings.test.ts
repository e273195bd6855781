import { expect, test } from 'vitest'
import { fileTooLarge, megabytesOf } from './settings.ts'

test('a limit of an upload is said in megabytes', () => {
  const sizes = [2 * 1024 * 1024, 1.5 * 1024 * 1024, 10 * 1024 * 1024, 512 * 1024]
  expect(sizes.map(megabytesOf)).toEqual(['2', '1.5', '10', '0.5'])
  expect(fileTooLarge(5 * 1024 * 1024)).toBe('The file is larger than 5 MB')
})
