import { dictionary } from '@zxcvbn-ts/language-common'

const CHARACTERS_MIN = 8

// What people would take for this site, and no list of elsewhere has.
const HERE =
  'cairncairn cairn123 cairn1234 invest123 investor investor1 bitcoin123 crypto123 money123'

/** Those of the 49,000 most used passwords that are long enough to be taken otherwise. */
export const COMMON_PASSWORDS: ReadonlySet<string> = new Set([
  ...dictionary['passwords-common'].filter((password) => password.length >= CHARACTERS_MIN),
  ...HERE.split(' '),
])
