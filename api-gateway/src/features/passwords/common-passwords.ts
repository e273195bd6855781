import { dictionary } from '@zxcvbn-ts/language-common'

const CHARACTERS_MIN = 8

// Passwords that are easy to guess for this site and that general lists do not contain.
const HERE =
  'cairncairn cairn123 cairn1234 invest123 investor investor1 bitcoin123 crypto123 money123'

/**
 * The passwords of `HERE`, and the 49,000 most common passwords except those that are too short.
 */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set([
  ...dictionary['passwords-common'].filter((password) => password.length >= CHARACTERS_MIN),
  ...HERE.split(' '),
])
