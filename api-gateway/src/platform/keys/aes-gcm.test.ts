import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decrypt, encrypt } from './aes-gcm.ts'

const TEXT = Buffer.from('Statement of Ada Example')
const lock = { key: randomBytes(32), context: 'ada' }

test('the same bytes are encrypted differently each time, and decrypted to the same', () => {
  const [first, second] = [encrypt(lock, TEXT), encrypt(lock, TEXT)]
  expect(first.equals(second)).toBe(false)
  expect(first.includes(TEXT)).toBe(false)
  expect([decrypt(lock, first), decrypt(lock, second)]).toEqual([TEXT, TEXT])
})

test('each changed byte, another key and another context are refused', () => {
  const encrypted = encrypt(lock, TEXT)
  for (const place of encrypted.keys()) {
    const changed = Buffer.from(encrypted)
    changed.writeUInt8((changed.readUInt8(place) + 1) % 256, place)
    expect(() => decrypt(lock, changed)).toThrow()
  }
  expect(() => decrypt({ ...lock, key: randomBytes(32) }, encrypted)).toThrow()
  expect(() => decrypt({ ...lock, context: 'ben' }, encrypted)).toThrow()
  // A tag must have its full length, because a shorter tag is easier to guess.
  expect(() => decrypt(lock, encrypted.subarray(0, 20))).toThrow()
})
