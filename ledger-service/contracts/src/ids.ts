import { z } from 'zod'

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * 20 to 24 characters of lower-case Crockford base 32: ten encode milliseconds since 1970, ten are
 * random. A row that is derived from another row (the purchase, return or bonus of an investment)
 * has the id of that row plus one letter.
 */
export const Id = z.string().regex(/^[0-9a-hjkmnp-tv-z]{20,24}$/, 'must be an id')
export type Id = z.infer<typeof Id>

export function newId(nowMs: number): Id {
  return encodeTime(nowMs) + createRandomDigits(10)
}

const RANDOM_BYTES = 2_000
let random = new Uint8Array(0)
let used = 0

/** Uses each random byte once. Reads them in blocks, because one call costs more than one id. */
function createRandomDigits(count: number): string {
  if (used + count > random.length) {
    random = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))
    used = 0
  }
  let text = ''
  for (const end = used + count; used < end; used += 1) text += digit((random[used] ?? 0) % 32)
  return text
}

/** The ids of the transactions that are derived from an investment. */
export const followingId = {
  purchase: (investmentId: Id): Id => `${investmentId}p`,
  principalReturn: (investmentId: Id): Id => `${investmentId}r`,
  referralBonus: (investmentId: Id): Id => `${investmentId}b`,
  bonusReturn: (investmentId: Id): Id => `${investmentId}c`,
}

/** The reference that people quote: 12 upper-case characters, the last a check character (mod 31). */
export function referenceOf(id: Id): string {
  const body = `${id.slice(10)}0`.slice(0, 11)
  let sum = 0
  for (const character of body) sum = (sum * 32 + CROCKFORD.indexOf(character)) % 31
  return (body + digit(sum)).toUpperCase()
}

function encodeTime(nowMs: number): string {
  let remaining = nowMs
  let text = ''
  for (let place = 0; place < 10; place += 1) {
    text = digit(remaining % 32) + text
    remaining = Math.floor(remaining / 32)
  }
  return text
}

function digit(value: number): string {
  return CROCKFORD.charAt(value)
}
