const WESTERN = /^[\n\x20-\x7e\u00a0-\u00ff€…–—‘’“”•ŒœŠšŽžŸ−]*$/
/** The scripts of the wide fonts that run from left to right, and signs that belong to none. */
const WIDE =
  /^[\u0300-\u036f\n\x20-\x7e\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\u00a0-\u00ff\u2010-\u2044\u20a0-\u20bd−]$/u

/** Of Chinese, Japanese and Korean. Signs that western texts have too, as the raised dot, are not. */
const EASTERN =
  /(?![\x20-\xff])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\u3000-\u303f\uff01-\uffef]/u

/** Whether some of its letters are of Chinese, Japanese or Korean. */
export function isEastern(text: string): boolean {
  return EASTERN.test(text)
}

export function hasHangul(text: string): boolean {
  return /\p{Script=Hangul}/u.test(text)
}

/** Whether the fonts that every reader has are enough. */
export function isWestern(text: string): boolean {
  return WESTERN.test(printable(text))
}

/** What the wide fonts have of Hebrew and Arabic, with the points and marks of both. */
const WIDE_FROM_THE_RIGHT =
  /^(?:[\u05d0-\u05ea\u05f0-\u05f4\u060c\u061f\u0621-\u063a\u0640-\u064a\u0660-\u0669\u067e\u0686\u0698\u06a9\u06af\u06cc\u06f0-\u06f9]|[\u05b0-\u05bc]|[\u05c1\u05c2]|[\u064b-\u0652])$/u
const FROM_THE_RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}]/u
const OTHER_LETTER = /[\p{Number}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u
const MIRRORED = new Map(['()', ')(', '[]', ']['].map(([one = '', other = '']) => [one, other]))

/**
 * A font turns the letters between two spaces when they run from the right, and the space behind them
 * comes before them. So words that run from the right hold together, and a second space follows them.
 */
export function drawnOrder(text: string): string {
  if (!FROM_THE_RIGHT.test(text)) return text
  const words = text.split(' ').flatMap(apart)
  return words
    .map((word, place) => {
      if (!FROM_THE_RIGHT.test(word)) return `${word} `
      const turned = [...word].map((letter) => MIRRORED.get(letter) ?? letter).join('')
      const next = words[place + 1]
      if (next === undefined) return turned
      return FROM_THE_RIGHT.test(next) ? `${turned}\u00a0` : `${turned}  `
    })
    .join('')
    .trimEnd()
}

/** A word of both directions as words of one each. */
function apart(word: string): string[] {
  if (!FROM_THE_RIGHT.test(word) || !OTHER_LETTER.test(word)) return [word]
  return word.split(/([\p{Script=Hebrew}\p{Script=Arabic}]+)/u).filter((part) => part !== '')
}

/** What the font has not becomes the plain letter in it, or `?`; which form of a letter is meant is lost. */
export function printable(text: string, hasLetter = isWide): string {
  return [...text.normalize('NFC').replace(/\p{Variation_Selector}/gu, '')]
    .map((letter) => {
      if (letter === '\n' || hasLetter(letter)) return letter
      const plain = letter.normalize('NFKD').replace(/[^\x20-\x7e]/g, '')
      return plain === '' ? '?' : plain
    })
    .join('')
    .replaceAll('−', '-')
}

function isWide(letter: string): boolean {
  return WIDE.test(letter) || WIDE_FROM_THE_RIGHT.test(letter)
}
