import { expect, test } from 'vitest'

import { describePictureLimits, refusalOfReceipt } from './picture-file.ts'

const FIVE = { receiptBytesMax: 5 * 1024 * 1024 }

test('a receipt is limited to the size of the server, which the form states', () => {
  const png = { type: 'image/png', size: FIVE.receiptBytesMax }
  expect(describePictureLimits(FIVE)).toBe('PNG, JPG (MAX. 5MB)')
  expect(refusalOfReceipt(png, FIVE)).toBeNull()
  const larger = { ...png, size: png.size + 1 }
  expect(refusalOfReceipt(larger, FIVE)).toBe('The file is larger than 5 MB')
  expect(refusalOfReceipt(png)).toBe('The file is larger than 2 MB')
  expect(describePictureLimits()).toBe('PNG, JPG (MAX. 2MB)')
})

test('a receipt is required and must be a picture', () => {
  expect(refusalOfReceipt(null)).toBe('Please provide receipt')
  const text = { type: 'text/plain', size: 1 }
  expect(refusalOfReceipt(text)).toBe('The receipt must be a PNG or JPG image')
})
