const WORDS_MAX = 40
const WORD_CHARACTERS_MIN = 4

/**
 * Splits a reference into words of capitals and digits. The last item is the whole text without
 * spaces, because some banks remove or insert spaces.
 */
export function splitReference(text: string): string[] {
  const capitals = text.toUpperCase()
  const words = capitals
    .split(/[^0-9A-Z]+/)
    .filter((word) => word.length >= WORD_CHARACTERS_MIN)
    .slice(0, WORDS_MAX)
  const joined = capitals.replace(/[^0-9A-Z]+/g, '')
  const others = words.filter((word) => word !== joined)
  return joined === '' ? others : [...new Set(others), joined]
}
