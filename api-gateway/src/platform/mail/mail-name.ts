const CHARACTERS_MAX = 40
/** The greeting if nothing of the name is left. */
const NAMELESS = 'there'
/** Characters other than the full stop that mail programs treat as a dot in a host name. */
const OTHER_STOPS = /[\u3002\uff0e\uff61]/gu

/**
 * A name as a mail shows it. The user chose the name, and the mail may go to a stranger, so the name
 * is short and holds no link, no second line and no control or direction character.
 */
export function toMailName(name: string): string {
  const words = name
    .normalize('NFKC')
    .replace(OTHER_STOPS, '.')
    .replace(/[\p{C}\p{Z}]+/gu, ' ')
    .split(' ')
    .filter((word) => !/^www\.|[/\\@:]/i.test(word))
  const text = words
    .join(' ')
    .replace(/[^\p{L}\p{M}\p{N}\s.'’,()&-]/gu, '')
    // A mail program makes a link of `example.com`, and none of `example. com`.
    .replace(/\.(?=[^\s.])/g, '. ')
    .replace(/\s+/g, ' ')
    .trim()
  return shorten(text) || NAMELESS
}

/** Cuts between whole characters, so that no half of a combined one is left. */
function shorten(text: string): string {
  const characters = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment)
  if (characters.length <= CHARACTERS_MAX) return text
  return `${characters
    .slice(0, CHARACTERS_MAX - 1)
    .join('')
    .trim()}…`
}
