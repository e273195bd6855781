/** The date preferences of the reader in the browser's storage. */
export const DATES_KEY = 'cairn.dates'

/** Formats `Dec 21, 2026` in the time zone of the reader, for use in an English sentence. */
export function formatSentenceDate(at: string | number): string {
  const format = (timeZone?: string) =>
    new Date(at).toLocaleDateString('en-US', { dateStyle: 'medium', timeZone })
  try {
    const stored: { timeZone?: string | null } = JSON.parse(localStorage.getItem(DATES_KEY) ?? '{}')
    return format(stored.timeZone ?? undefined)
  } catch {
    // Without a preference that this browser knows, its own time zone applies.
    return format()
  }
}
