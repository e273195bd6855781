const CHARACTERS_MAX = 40
/** The text that replaces a name without any printable character. */
const NAMELESS = 'there'
/** Characters that mail programs treat as a full stop in a host name. */
const OTHER_STOPS = /[\u3002\uff0e\uff61]/gu

/**
 * Returns a name for use in a mail. The user chose the name, and the mail may go to a stranger, so
 * links, line breaks and control characters are removed.
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
    // Mail programs convert `example.com` to a link, but not `example. com`.
    .replace(/\.(?=[^\s.])/g, '. ')
    .replace(/\s+/g, ' ')
    .trim()
  return shortenName(text) || NAMELESS
}

/** Shortens a text without splitting combined characters. */
function shortenName(text: string): string {
  const characters = [...new Intl.Segmenter('en').segment(text)].map(({ segment }) => segment)
  if (characters.length <= CHARACTERS_MAX) return text
  return `${characters
    .slice(0, CHARACTERS_MAX - 1)
    .join('')
    .trim()}…`
}
