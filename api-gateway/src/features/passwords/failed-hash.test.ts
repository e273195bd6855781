import argon2 from 'argon2'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// Each test loads the module again, because the module keeps the hash for unknown users.
beforeEach(() => {
  vi.resetModules()
})
afterEach(() => {
  vi.restoreAllMocks()
})

const failOnce = () =>
  vi.spyOn(argon2, 'hash').mockRejectedValueOnce(new Error('no memory for a hash'))

test('a failed hash fails one check of an unknown user, and not the later checks', async () => {
  const { isPassword } = await import('./passwords.ts')
  failOnce()
  await expect(isPassword(null, 'a password')).rejects.toThrow('no memory for a hash')
  expect(await isPassword(null, 'a password')).toBe(false)
})

test('a failed hash does not affect the check of a known user', async () => {
  const { hashPassword, isPassword } = await import('./passwords.ts')
  const hash = await hashPassword('a password')
  failOnce()
  expect(await isPassword(hash, 'a password')).toBe(true)
  expect(await isPassword(null, 'a password')).toBe(false)
})
