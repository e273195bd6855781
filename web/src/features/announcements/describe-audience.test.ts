import { expect, test } from 'vitest'
import { describeSending } from './describe-audience.ts'

test('with dual control, the consequence names the refusal that ends the request', () => {
  expect(describeSending({ recipients: 2 }, true)).toContain(
    'The request fails if an email of this kind was sent less than 24 hours before the approval.',
  )
  expect(describeSending({ recipients: 2 }, false)).toBe(
    'Sends to 2 people now. It cannot be taken back.',
  )
})
