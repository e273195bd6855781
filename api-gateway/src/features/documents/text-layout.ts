const WESTERN = /^[\n\x20-\x7e\u00a0-\u00ff€…–—‘’“”•ŒœŠšŽžŸ−]*$/
/**
 * Matches a character that the wide fonts have: a letter of a left-to-right script, a digit, a mark
 * or common punctuation.
 */
const WIDE =
  /^[\u0300-\u036f\n\x20-\x7e\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\u00a0-\u00ff\u2010-\u2044\u20a0-\u20bd−]$/u

/**
 * Matches a Chinese, Japanese or Korean character. Characters that western texts also use, such as
 * the middle dot, are excluded.
 */
const CJK =
  /(?![\x20-\xff])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\u3000-\u303f\uff01-\uffef]/u

/** Returns true if the text contains Chinese, Japanese or Korean characters. */
export function hasCjk(text: string): boolean {
  return CJK.test(text)
}

export function hasHangul(text: string): boolean {
  return /\p{Script=Hangul}/u.test(text)
}

/** Returns true if the standard PDF fonts have all characters of the text. */
export function isWestern(text: string): boolean {
  return WESTERN.test(toPrintable(text))
}

/** Matches a Hebrew or Arabic character that the wide fonts have, including points and marks. */
const WIDE_RIGHT_TO_LEFT =
  /^(?:[\u05d0-\u05ea\u05f0-\u05f4\u060c\u061f\u0621-\u063a\u0640-\u064a\u0660-\u0669\u067e\u0686\u0698\u06a9\u06af\u06cc\u06f0-\u06f9]|[\u05b0-\u05bc]|[\u05c1\u05c2]|[\u064b-\u0652])$/u
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u
const OTHER_LETTER = /[\p{Number}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u
const MIRRORED = new Map(['()', ')(', '[]', ']['].map(([one = '', other = '']) => [one, other]))

/**
 * Reorders words and spaces of right-to-left text, because the PDF library reverses such words. The
 * library also moves the space after a word in front of the word.
 */
export function toDrawingOrder(text: string): string {
  if (!RIGHT_TO_LEFT.test(text)) return text
  const words = text.split(' ').flatMap(splitByDirection)
  return words
    .map((word, place) => {
      if (!RIGHT_TO_LEFT.test(word)) return `${word} `
      const mirrored = [...word].map((letter) => MIRRORED.get(letter) ?? letter).join('')
      const next = words[place + 1]
      if (next === undefined) return mirrored
      return RIGHT_TO_LEFT.test(next) ? `${mirrored}\u00a0` : `${mirrored}  `
    })
    .join('')
    .trimEnd()
}

/** Splits a word that mixes writing directions into parts with one direction each. */
function splitByDirection(word: string): string[] {
  if (!RIGHT_TO_LEFT.test(word) || !OTHER_LETTER.test(word)) return [word]
  return word.split(/([\p{Script=Hebrew}\p{Script=Arabic}]+)/u).filter((part) => part !== '')
}

/** Replaces each character that the font lacks by its base letter or `?`. */
export function toPrintable(text: string, isSupported = isWideLetter): string {
  return [...text.normalize('NFC').replace(/\p{Variation_Selector}/gu, '')]
    .map((letter) => {
      if (letter === '\n' || isSupported(letter)) return letter
      const plain = letter.normalize('NFKD').replace(/[^\x20-\x7e]/g, '')
      return plain === '' ? '?' : plain
    })
    .join('')
    .replaceAll('−', '-')
}

function isWideLetter(letter: string): boolean {
  return WIDE.test(letter) || WIDE_RIGHT_TO_LEFT.test(letter)
}
