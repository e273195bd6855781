import { describe, expect, test } from 'vitest'
import { toProfileRequest } from './profile-request.ts'

const SETTLED = {
  name: 'Ada',
  email: 'ada@example.com',
  phone: '111',
  country: 'GB',
  pendingName: null,
  pendingEmail: null,
}
const WAITING = { ...SETTLED, pendingName: 'Ada King', pendingEmail: 'new@example.com' }

describe('the request that saves a profile', () => {
  test('keeps a pending name and a pending address if another field was edited', () => {
    expect(toProfileRequest(WAITING, { phone: '222' })).toEqual({
      name: 'Ada King',
      email: 'new@example.com',
      phone: '222',
      country: 'GB',
    })
  })

  test('has the edited fields, also if they withdraw a pending change', () => {
    const request = toProfileRequest(WAITING, { email: 'ada@example.com' })
    expect(request).toMatchObject({ name: 'Ada King', email: 'ada@example.com' })
    expect(toProfileRequest(WAITING, { name: 'Ada' })).toMatchObject({ name: 'Ada' })
  })

  test('has the stored values of all other fields', () => {
    expect(toProfileRequest(SETTLED, { country: 'FR' })).toEqual({
      name: 'Ada',
      email: 'ada@example.com',
      phone: '111',
      country: 'FR',
    })
  })
})
