const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

/** Formats `Dec 21, 2026` in the browser's time zone, for use in a sentence. */
export function formatSentenceDate(at: string | number): string {
  const date = new Date(at)
  return `${MONTHS[date.getMonth()]} ${date.getDate()}, ${date.getFullYear()}`
}
