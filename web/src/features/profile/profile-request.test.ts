import { describe, expect, test } from 'vitest'
import { toProfileRequest } from './profile-request.ts'

const FORM = { name: 'Ada', email: 'ada@example.com', phone: '', country: 'GB' }
const WAITING = { pendingEmail: 'new@example.com' }

describe('the request that saves a profile', () => {
  test('keeps a pending address if another field was edited', () => {
    const request = toProfileRequest(FORM, { me: WAITING, isEmailEdited: false })
    expect(request).toEqual({ ...FORM, email: 'new@example.com' })
  })

  test('has the address of the form if the user edited it, or if no address is pending', () => {
    const edited = { ...FORM, email: 'other@example.com' }
    expect(toProfileRequest(edited, { me: WAITING, isEmailEdited: true })).toEqual(edited)
    const settled = { pendingEmail: null }
    expect(toProfileRequest(FORM, { me: settled, isEmailEdited: false })).toEqual(FORM)
  })
})
