import { expect, test } from 'vitest'

import { describePictureLimits, findReceiptRefusal } from './picture-file.ts'

const FIVE = { receiptBytesMax: 5 * 1024 * 1024 }

test('a receipt is limited to the size of the server, which the form states', () => {
  const png = { type: 'image/png', size: FIVE.receiptBytesMax }
  expect(describePictureLimits(FIVE)).toBe('PNG, JPG (MAX. 5MB)')
  expect(findReceiptRefusal(png, FIVE)).toBeNull()
  const larger = { ...png, size: png.size + 1 }
  expect(findReceiptRefusal(larger, FIVE)).toBe('The file is larger than 5 MB')
  expect(findReceiptRefusal(png)).toBe('The file is larger than 2 MB')
  expect(describePictureLimits()).toBe('PNG, JPG (MAX. 2MB)')
})

test('a receipt is required and must be a picture', () => {
  expect(findReceiptRefusal(null)).toBe('Please provide receipt')
  const text = { type: 'text/plain', size: 1 }
  expect(findReceiptRefusal(text)).toBe('The payment proof must be a PNG or JPG image')
})
