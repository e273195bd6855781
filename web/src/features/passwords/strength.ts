/**
 * The level of the strength bar and its label. Only the server decides whether a password is
 * accepted.
 */
export type Strength = { level: 0 | 1 | 2 | 3 | 4; words: string }

const CHARACTERS_MIN = 8
const KINDS_MIN = 3
const BY_SCORE: readonly Strength[] = [
  { level: 1, words: 'Weak: a common password.' },
  { level: 1, words: 'Weak: quickly guessed. Add a word or two.' },
  { level: 2, words: 'Fair. Another word makes it much harder to guess.' },
  { level: 3, words: 'Good.' },
  { level: 4, words: 'Strong.' },
]
const LONG: Strength = { level: 2, words: 'Long enough.' }

/**
 * Combines the length rule with the estimated `score` from 0 to 4. If the score is null, only the
 * rule applies.
 */
export function rateStrength(password: string, score: number | null): Strength | null {
  if (password === '') return null
  const missing = CHARACTERS_MIN - [...password].length
  if (missing > 0) {
    const characters = missing === 1 ? 'one character' : `${missing} characters`
    return { level: 0, words: `Too short: ${characters} more.` }
  }
  if (new Set(password.toLowerCase()).size < KINDS_MIN) {
    return { level: 0, words: 'Too simple: the password repeats itself.' }
  }
  return score === null ? LONG : (BY_SCORE[score] ?? null)
}

/** Returns the words and parts of words that a person who knows the user could guess. */
export function listContextWords(known: readonly string[]): readonly string[] {
  const pieces = known.flatMap((text) => [text, ...text.split(/[\s@._-]+/)])
  return [...new Set(pieces.map((piece) => piece.toLowerCase()))].filter(({ length }) => length > 2)
}
