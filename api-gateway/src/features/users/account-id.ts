import { randomBytes } from 'node:crypto'

const ACCOUNT_ID_ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Returns twelve random characters with 60 bits of entropy. */
export function createAccountId(): string {
  return Array.from(randomBytes(12), (byte) => ACCOUNT_ID_ALPHABET[byte % 32]).join('')
}
