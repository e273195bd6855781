import { z } from 'zod'

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz'

/**
 * An id in lower-case Crockford base 32: ten characters are the milliseconds since 1970, ten are
 * random. A row derived from an investment has the id of the investment plus one letter.
 */
export const Id = z.string().regex(/^[0-9a-hjkmnp-tv-z]{20,24}$/, 'must be an id')
export type Id = z.infer<typeof Id>

export function createId(nowMs: number): Id {
  return encodeTime(nowMs) + createRandomDigits(10)
}

const RANDOM_BYTES = 2_000
let random = new Uint8Array(0)
let used = 0

/** Random bytes are generated in blocks, because one call per id would be slower. */
function createRandomDigits(count: number): string {
  if (used + count > random.length) {
    random = crypto.getRandomValues(new Uint8Array(RANDOM_BYTES))
    used = 0
  }
  let text = ''
  for (const end = used + count; used < end; used += 1) text += toDigit((random[used] ?? 0) % 32)
  return text
}

/** The ids of the transactions that are derived from an investment. */
export const followingId = {
  derivePurchaseId: (investmentId: Id): Id => `${investmentId}p`,
  derivePrincipalReturnId: (investmentId: Id): Id => `${investmentId}r`,
  deriveReferralBonusId: (investmentId: Id): Id => `${investmentId}b`,
  deriveBonusReturnId: (investmentId: Id): Id => `${investmentId}c`,
}

/**
 * Returns the reference that people quote instead of the id. The reference has 16 upper-case
 * characters; the last character is a check character. The reference contains 20 bits of the time
 * and all random bits of the id, so that two ids have different references in practice.
 */
export function formatReference(id: Id): string {
  const body = `${id.slice(6)}0`.slice(0, 15)
  let sum = 0
  for (const character of body) sum = (sum * 32 + CROCKFORD.indexOf(character)) % 31
  return (body + toDigit(sum)).toUpperCase()
}

function encodeTime(nowMs: number): string {
  let remaining = nowMs
  let text = ''
  for (let place = 0; place < 10; place += 1) {
    text = toDigit(remaining % 32) + text
    remaining = Math.floor(remaining / 32)
  }
  return text
}

function toDigit(value: number): string {
  return CROCKFORD.charAt(value)
}
